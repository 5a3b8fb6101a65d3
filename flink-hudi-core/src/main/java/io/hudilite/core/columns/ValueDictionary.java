package io.hudilite.core.columns;

import org.apache.parquet.bytes.BytesInput;

/** The different values of a column in the order in which they came first, each with a number. */
interface ValueDictionary {

  /** How many values there are. */
  int size();

  /** Bytes of all values in a page. */
  int bytes();

  /** Bytes of one value in a page. */
  int bytesOf(int id);

  /** Puts a value down as it stands in a page without dictionary. */
  void addTo(PageBytes page, int id);

  /** All values, as the dictionary's page has them. */
  BytesInput toPage();
}
