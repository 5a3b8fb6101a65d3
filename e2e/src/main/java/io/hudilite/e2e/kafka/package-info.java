/**
 * Kafka without an installation: a broker inside this process, and a producer that sends the orders
 * to it. The broker is the real one, in KRaft mode, with its data in a folder that the caller
 * gives. The demo and the end-to-end tests share both.
 */
package io.hudilite.e2e.kafka;
