package io.hudilite.core.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.MergeMode;
import io.hudilite.core.key.OrderingValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogRecordMapTest {

  /** What a simple map would hold. */
  private record Expected(OrderingValue ordering, boolean isDelete, byte[] body, int origin) {}

  @Property(tries = 60)
  void holdsWhatASimpleMapHoldsSpilledOrNot(@ForAll long seed, @ForAll MergeMode mode)
      throws IOException {
    if (mode == MergeMode.CUSTOM) {
      return;
    }
    Path folder = Files.createTempDirectory("map");
    try {
      List<String> unspilled = fill(seed, mode, new MergeMemory(1L << 30, folder), false);
      List<String> spilled = fill(seed, mode, new MergeMemory(0, folder), true);

      assertThat(spilled).isEqualTo(unspilled);
      try (Stream<Path> left = Files.list(folder)) {
        assertThat(left).as("temporary files left").isEmpty();
      }
    } finally {
      Files.delete(folder);
    }
  }

  /** Puts random versions into a map and a model, compares them, and returns all entries. */
  private static List<String> fill(long seed, MergeMode mode, MergeMemory memory, boolean spills)
      throws IOException {
    Random random = new Random(seed);
    RecordMerger merger = RecordMerger.of(mode);
    Map<String, Expected> model = new LinkedHashMap<>();
    List<String> found = new ArrayList<>();
    List<Version> versions = new ArrayList<>();
    LogRecordMap.VersionReader reader =
        (origin, array, offset, length, keyOffset, keyLength, to) -> {
          Version version = versions.get(origin);
          assertThat(new String(array, keyOffset, keyLength, StandardCharsets.UTF_8))
              .startsWith("key");
          to.set(version.isDelete(), version.toOrderingValue());
        };
    try (LogRecordMap map = new LogRecordMap(merger, memory, reader)) {
      while (versions.size() < 3000) {
        boolean isGroup = random.nextBoolean();
        int count = isGroup ? 1 + random.nextInt(8) : 1;
        byte[][] keys = new byte[count][];
        byte[][] bodies = new byte[count][];
        int[] prefixes = new int[count];
        int first = versions.size();
        int total = 0;
        for (int i = 0; i < count; i++) {
          keys[i] = ("key" + random.nextInt(700)).getBytes(StandardCharsets.UTF_8);
          boolean isDelete = !isGroup && random.nextInt(4) == 0;
          int most = random.nextInt(50) == 0 && count == 1 ? 40000 : 90;
          prefixes[i] = random.nextInt(20);
          bodies[i] = new byte[isDelete ? 0 : prefixes[i] + keys[i].length + random.nextInt(most)];
          random.nextBytes(bodies[i]);
          if (!isDelete) {
            System.arraycopy(keys[i], 0, bodies[i], prefixes[i], keys[i].length);
          }
          total += bodies[i].length;
          Version later = new Version().set(isDelete, ordering(random));
          int origin = versions.size();
          versions.add(later);
          model.merge(
              new String(keys[i], StandardCharsets.UTF_8),
              new Expected(later.toOrderingValue(), isDelete, bodies[i], origin),
              (a, b) -> merger.laterWins(new Version().set(a.isDelete, a.ordering), later) ? b : a);
        }
        if (isGroup) {
          byte[] array = new byte[total];
          int at = 0;
          for (int i = 0; i < count; i++) {
            byte[] body = bodies[i];
            System.arraycopy(body, 0, array, at, body.length);
            int hash = LogRecordMap.hash(array, at + prefixes[i], keys[i].length);
            map.prefetch(new int[] {hash}, 1);
            map.putUpsert(
                array, at, body.length, at + prefixes[i], keys[i].length, hash, first + i);
            at += body.length;
          }
        } else if (versions.get(first).isDelete()) {
          map.delete(keys[0], 0, keys[0].length, versions.get(first), first);
        } else {
          byte[] body = bodies[0];
          int length = keys[0].length;
          map.put(body, prefixes[0], length, versions.get(first), first, body, 0, body.length);
        }
      }
      assertThat(map.size()).isEqualTo(model.size());
      assertThat(map.hasSpilled()).isEqualTo(spills);
      int entry = 0;
      for (Map.Entry<String, Expected> wanted : model.entrySet()) {
        byte[] key = wanted.getKey().getBytes(StandardCharsets.UTF_8);
        assertThat(map.find(key, 0, key.length)).as("in order of arrival").isEqualTo(entry);
        assertThat(map.key(entry)).isEqualTo(key);
        Version version = new Version();
        map.version(entry, version);
        assertThat(version.toOrderingValue()).isEqualTo(wanted.getValue().ordering);
        assertThat(map.isDelete(entry)).isEqualTo(wanted.getValue().isDelete);
        assertThat(map.origin(entry)).isEqualTo(wanted.getValue().origin);
        if (!map.isDelete(entry)) {
          map.loadBody(entry);
          byte[] body = new byte[map.bodyLength(entry)];
          System.arraycopy(map.bodyArray(), map.bodyOffset(), body, 0, body.length);
          assertThat(body).isEqualTo(wanted.getValue().body);
        }
        found.add(wanted.getKey() + " " + version + " " + map.origin(entry));
        entry++;
      }
      assertThat(map.find(new byte[] {1, 2}, 0, 2)).isEqualTo(LogRecordMap.NONE);
    }
    return found;
  }

  private static OrderingValue ordering(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> OrderingValue.NONE;
      case 1 -> OrderingValue.ofInt(random.nextInt(3));
      case 2 -> OrderingValue.ofString(new byte[] {(byte) random.nextInt()});
      default -> OrderingValue.ofLong(random.nextInt(20));
    };
  }

  @Test
  void replacedVersionsDoNotPileUp(@TempDir Path folder) throws IOException {
    byte[] body = new byte[1000];
    Version version = new Version().setNone(false);
    try (LogRecordMap map =
        new LogRecordMap(new CommitTimeMerger(), new MergeMemory(1 << 20, folder))) {
      for (int i = 0; i < 100_000; i++) {
        byte[] key = ("k" + i % 100).getBytes(StandardCharsets.UTF_8);
        // Growing bodies never fit where their predecessor was.
        map.put(key, 0, key.length, version, 0, body, 0, 500 + i / 200);
      }
      assertThat(map.bodyBytes()).isLessThan(2 << 20);
    }
  }

  @Test
  void recordLongerThanAllMemoryIsHeld(@TempDir Path folder) throws IOException {
    byte[] body = new byte[300_000];
    body[299_999] = 7;
    Version version = new Version().setNone(false);
    try (LogRecordMap map = new LogRecordMap(new CommitTimeMerger(), new MergeMemory(0, folder))) {
      for (byte i = 0; i < 5; i++) {
        map.put(new byte[] {i}, 0, 1, version, i, body, 0, body.length - i);
      }
      map.loadBody(0);
      assertThat(map.bodyArray()[map.bodyOffset() + 299_999]).isEqualTo((byte) 7);
      assertThat(map.hasSpilled()).isTrue();
    }
  }

  @Test
  void clearForgetsAll(@TempDir Path folder) throws IOException {
    Version version = new Version().setNone(true);
    try (LogRecordMap map = new LogRecordMap(new CommitTimeMerger(), new MergeMemory(0, folder))) {
      map.delete(new byte[] {1}, 0, 1, version, 0);
      map.clear();

      assertThat(map.size()).isZero();
      assertThat(map.find(new byte[] {1}, 0, 1)).isEqualTo(LogRecordMap.NONE);
    }
  }
}
