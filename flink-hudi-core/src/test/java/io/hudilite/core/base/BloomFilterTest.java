package io.hudilite.core.base;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** Vectors made by Hudi 1.0's own classes. */
class BloomFilterTest {
  private static final String SIMPLE = "/////wAAAAcBAAAAYAAQCwQAAQJDJABAEA==";
  private static final String DYNAMIC =
      "/////wAAAAcBAAAAYAAAAAoAAAACAAAAAf////8AAAAHAQAAAGAAEAsEAAECQyQAQBA=";

  private static int hash(String key, int seed) {
    byte[] utf8 = key.getBytes(UTF_8);
    return BloomFilter.murmur2(utf8, 0, utf8.length, seed);
  }

  @Test
  void hashIsHudisWithItsOwnTail() {
    assertThat(hash("id1", 0)).isEqualTo(1933984049);
    assertThat(hash("hello", 0)).isEqualTo(-446617141);
    assertThat(hash("hello", -1)).isEqualTo(-1816943331);
  }

  @Test
  void simpleFilterIsWrittenAsHudiDoes() {
    BloomFilter filter = BloomFilter.simple(10, 0.01);
    filter.add("id1");
    filter.add("id2");
    assertThat(filter.serialize()).isEqualTo(SIMPLE);
  }

  @Test
  void dynamicFilterIsWrittenAsHudiDoes() {
    BloomFilter filter = BloomFilter.dynamic(10, 0.01, 100);
    filter.add("id1");
    filter.add("id2");
    assertThat(filter.serialize()).isEqualTo(DYNAMIC);
  }

  @Test
  void filtersOfHudiAreRead() throws IOException {
    for (BloomFilter filter :
        new BloomFilter[] {BloomFilter.parseSimple(SIMPLE), BloomFilter.parseDynamic(DYNAMIC)}) {
      assertThat(filter.mightContain("id1")).isTrue();
      assertThat(filter.mightContain("id2")).isTrue();
      assertThat(filter.mightContain("something else")).isFalse();
    }
    assertThat(BloomFilter.parseDynamic(DYNAMIC).serialize()).isEqualTo(DYNAMIC);
  }

  @Test
  void damagedTextIsAnError() {
    assertThatThrownBy(() -> BloomFilter.parseDynamic("AAAA")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> BloomFilter.parseDynamic("?")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> BloomFilter.parseDynamic(SIMPLE)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> BloomFilter.parseSimple(SIMPLE.substring(0, 24)))
        .isInstanceOf(IOException.class);
  }

  @Property(tries = 100)
  void keysAddedTogetherMakeTheFilterOfKeysAddedOneByOne(
      @ForAll List<String> keys, @ForAll @IntRange(min = 1, max = 40) int perRow) {
    BloomFilter single = BloomFilter.dynamic(perRow, 1e-9, 60);
    keys.forEach(single::add);
    BloomFilter together = BloomFilter.dynamic(perRow, 1e-9, 60);
    int[] ends = new int[keys.size()];
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < ends.length; i++) {
      all.writeBytes(keys.get(i).getBytes(UTF_8));
      ends[i] = all.size();
    }
    together.addAll(all.toByteArray(), ends, ends.length);
    assertThat(together.serialize()).isEqualTo(single.serialize());
  }

  @Property(tries = 50)
  void addedKeysAreAlwaysFound(
      @ForAll Set<String> keys,
      @ForAll @IntRange(min = 1, max = 40) int perRow,
      @ForAll @IntRange(min = 1, max = 100) int max)
      throws IOException {
    BloomFilter filter = BloomFilter.dynamic(perRow, 0.001, max);
    keys.forEach(filter::add);
    BloomFilter read = BloomFilter.parseDynamic(filter.serialize());
    assertThat(keys).allMatch(filter::mightContain).allMatch(read::mightContain);
  }

  @Property(tries = 200)
  void keysAreOrderedAsStrings(@ForAll String left, @ForAll String right) {
    byte[] leftUtf8 = left.getBytes(UTF_8);
    byte[] rightUtf8 = right.getBytes(UTF_8);
    // Lone surrogates have no UTF-8 form: compare what is written instead of them.
    int expected = new String(leftUtf8, UTF_8).compareTo(new String(rightUtf8, UTF_8));
    assertThat(Integer.signum(KeyFooter.compare(leftUtf8, rightUtf8)))
        .isEqualTo(Integer.signum(expected));
  }

  @Test
  void manyKeysOfAFewLengthsMakeTheFilterOfKeysAddedOneByOne() {
    BloomFilter single = BloomFilter.dynamic(3_000, 1e-9, Integer.MAX_VALUE);
    BloomFilter together = BloomFilter.dynamic(3_000, 1e-9, Integer.MAX_VALUE);
    int[] ends = new int[3_000];
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < ends.length; i++) {
      String key = i % 100 == 7 ? "long/".repeat(40) + i : "é".repeat(i % 9) + i * 7919;
      single.add(key);
      all.writeBytes(key.getBytes(UTF_8));
      ends[i] = all.size();
    }
    together.addAll(all.toByteArray(), ends, ends.length);
    assertThat(together.serialize()).isEqualTo(single.serialize());
  }

  @Property(tries = 200)
  void footerHasTheSmallestAndTheGreatestKey(@ForAll @Size(min = 1, max = 20) List<String> keys) {
    KeyFooter footer = new KeyFooter(1e-9);
    List<String> written = new ArrayList<>();
    for (String key : keys) {
      byte[] utf8 = ("<" + key).getBytes(UTF_8);
      footer.add(utf8, 1, utf8.length - 1);
      written.add(new String(utf8, 1, utf8.length - 1, UTF_8));
    }
    assertThat(footer.minKey()).contains(Collections.min(written));
    assertThat(footer.maxKey()).contains(Collections.max(written));
  }

  @Property(tries = 200)
  void footerHasTheSmallestAndTheGreatestOfPlainKeys(
      @ForAll @Size(min = 1, max = 20)
          List<@StringLength(max = 10) @CharRange(from = 0, to = 3) String> keys) {
    footerHasTheSmallestAndTheGreatestKey(keys);
  }
}
