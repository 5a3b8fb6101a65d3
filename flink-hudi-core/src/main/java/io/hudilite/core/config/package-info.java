/**
 * What a table says of itself in {@code .hoodie/hoodie.properties}. {@link
 * io.hudilite.core.config.TableConfig} is the typed, immutable form; {@link
 * io.hudilite.core.config.TableConfigStore} finds and creates the file. What a user can mend is a
 * {@link io.hudilite.core.config.HudiTableException}.
 */
package io.hudilite.core.config;
