/**
 * What the files of a table are called and how they belong together. A file group holds one set of
 * record keys; its versions are slices, each a base file with log files on top. All types are
 * values: listing and filtering is the business of {@code view}.
 */
package io.hudilite.core.file;
