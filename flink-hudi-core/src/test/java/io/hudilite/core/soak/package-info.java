/**
 * A table's life in fast motion: a writer, its table services and readers at random speeds, with
 * crashes, on simulated time. {@code Soak} is the world and its rules, {@code StreamingReader} one
 * reader in it, {@code SoakTest} runs it by seeds. A seed that failed fails again the same way.
 */
package io.hudilite.core.soak;
