/**
 * Tests against a Flink of several processes, in the profile {@code cluster}. They start and kill
 * real JobManagers and TaskManagers by the script in {@code e2e/cluster}. Only the connector's jar
 * takes part, as a user would install it.
 */
package io.hudilite.e2e.cluster;
