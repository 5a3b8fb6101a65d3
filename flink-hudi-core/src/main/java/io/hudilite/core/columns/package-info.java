/**
 * Encodes the columns of a Parquet row group into pages.
 *
 * <p>Parquet's own column writers do several things with each value: they count it, compare it with
 * the smallest and greatest so far, look it up in a dictionary through several layers, and look
 * whether the page is full. Here a value of a column that is not nested is only put down, and all
 * the rest is done a page at a time; nested columns are left to Parquet, and so are files, page
 * headers and footers.
 */
package io.hudilite.core.columns;
