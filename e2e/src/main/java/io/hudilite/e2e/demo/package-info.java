/**
 * The demo: Kafka changes become a Hudi table, and a query follows the table while it grows. {@link
 * io.hudilite.e2e.demo.Demo} is the story from start to end; the other classes are its parts. All
 * that a user would do is SQL and stands in {@link io.hudilite.e2e.demo.DemoSql}.
 */
package io.hudilite.e2e.demo;
