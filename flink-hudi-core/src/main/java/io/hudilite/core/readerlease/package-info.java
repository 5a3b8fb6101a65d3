/**
 * Leases of readers: what somebody reads right now, or will read next, is not deleted. A reader
 * writes down from which position on it needs the table, and renews that while it lives; whoever
 * cleans or archives asks for the oldest position that is held. Kept in a folder of this project's
 * own, where other engines never look.
 */
package io.hudilite.core.readerlease;
