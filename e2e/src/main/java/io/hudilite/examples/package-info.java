/**
 * Programs to start from. Each is complete and is run by a test. They use the DataStream API; for
 * SQL see the README and {@link io.hudilite.e2e.demo.Demo}.
 */
package io.hudilite.examples;
