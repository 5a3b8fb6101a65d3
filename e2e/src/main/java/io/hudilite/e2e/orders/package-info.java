/**
 * A made-up shop whose orders are what the demo and the end-to-end tests put into Kafka. A seed
 * decides everything, so that a run can be repeated, and the shop itself knows what the table must
 * hold in the end. Changes leave it as Debezium would send them, some of them late.
 */
package io.hudilite.e2e.orders;
