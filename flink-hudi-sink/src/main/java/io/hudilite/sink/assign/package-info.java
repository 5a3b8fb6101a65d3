/**
 * Which file group a row belongs to. {@link io.hudilite.sink.assign.BucketAssigner} knows the place
 * of every key by a {@link io.hudilite.sink.assign.RecordIndex}, and gives new keys to the groups
 * that {@link io.hudilite.sink.assign.FileGroupAllocator} opens. What the index lacks when the job
 * starts, {@link io.hudilite.sink.assign.IndexBootstrap} reads from the table.
 */
package io.hudilite.sink.assign;
