package io.hudilite.core.health;

/**
 * The newest slice of a file group.
 *
 * @param baseBytes of the base file, 0 if there is none
 * @param logFiles that no base file holds yet
 * @param logBytes of them
 */
public record SliceSize(long baseBytes, int logFiles, long logBytes) {}
