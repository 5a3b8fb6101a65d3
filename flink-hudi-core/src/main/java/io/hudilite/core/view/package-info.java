/**
 * What a reader may see. Listings of folders are laid over the timeline: files of instants that are
 * not completed, or whose file group was replaced, do not count. {@code FileSlicing} is the pure
 * rule, {@code FileSystemView} applies it to a storage.
 */
package io.hudilite.core.view;
