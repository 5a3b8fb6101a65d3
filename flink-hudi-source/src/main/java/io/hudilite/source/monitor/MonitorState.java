package io.hudilite.source.monitor;

/** What the enumerator has to know after a restart: how far it planned, and what nobody has yet. */
public record MonitorState() {}
