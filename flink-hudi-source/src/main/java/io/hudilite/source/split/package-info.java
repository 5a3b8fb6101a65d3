/**
 * The unit of work that is handed to a reader and stored in its state. A split is the scan of one
 * file group, its place in the order of the read, and how many of its rows are done. The
 * serializers are versioned, and old bytes stay readable.
 */
package io.hudilite.source.split;
