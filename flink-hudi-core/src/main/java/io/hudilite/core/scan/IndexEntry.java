package io.hudilite.core.scan;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.timeline.InstantTime;

/**
 * Where the newest version of a key is in one file group.
 *
 * @param recordKey UTF-8; not shared, may be kept
 * @param ordering NONE where rows are ordered by commit time, and for deletes without a value
 * @param isDelete whether the newest version deletes the key: it must still be known, for later
 *     versions with a smaller ordering value do not count
 * @param instant requested time of the instant that wrote the version
 */
@SuppressWarnings("ArrayRecordComponent") // entries are passed on, never compared
public record IndexEntry(
    byte[] recordKey,
    FileGroupId groupId,
    OrderingValue ordering,
    boolean isDelete,
    InstantTime instant) {}
