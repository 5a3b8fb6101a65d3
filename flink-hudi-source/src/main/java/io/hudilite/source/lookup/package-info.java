/**
 * Tables as the small side of a lookup join. Each task keeps the rows of the table by key, and
 * looks for new commits when its cache has reached its age; what it holds is always one committed
 * state of the table. Memory is the limit: large tables are for ordinary joins.
 */
package io.hudilite.source.lookup;
