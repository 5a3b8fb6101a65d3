/**
 * What a user may set about writing. Options become a {@link io.hudilite.sink.config.SinkConfig}
 * once, where the pipeline is built. Below that nobody sees option keys or their text.
 */
package io.hudilite.sink.config;
