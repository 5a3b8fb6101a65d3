/**
 * Going back, by the hand of a person: {@code SavepointStore} keeps a state of the table, {@code
 * TableRecovery} restores it, or takes single instants back. Both refuse what would lose rows that
 * nobody asked to lose, and while a job writes the table. The steps themselves, which survive a
 * crash at any point, are those of {@code core.write}; the next writer finishes what was begun.
 */
package io.hudilite.core.recovery;
