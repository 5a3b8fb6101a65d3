/**
 * One row out of many versions. {@code FileSliceReader} reads the log files of a slice into a
 * {@code LogRecordMap}, then streams the base file and asks a {@code RecordMerger} which version
 * counts. Only wanted columns of winning versions are decoded.
 */
package io.hudilite.core.merge;
