package io.hudilite.core.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.file.FileId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketHashTest {

  private static int bucket(String key, List<String> fields, int buckets) {
    byte[] bytes = ("xx" + key + "yy").getBytes(StandardCharsets.UTF_8);
    return new BucketHash(fields, buckets).bucketOf(bytes, 2, bytes.length - 4);
  }

  /** Worked out with Hudi 1.0.2's BucketIdentifier. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id1|id|1|149",
        "42|id|1|157",
        "id:1,region:eu|id,region|0|96",
        "id:1,region:eu|id|0|80",
        "id:1,region:eu|region|3|207",
        "id:__null__,region:eu|id,region|1|113",
        "ts:2014-10-22 13:50:42,k:a,b|ts,k|1|245",
        "a,b|id|2|246",
        "id:7|id|3|183",
        "15001|order_id|0|-1",
        "15005|order_id|0|-1",
        "15003|order_id|2|-1",
        "15011|order_id|3|-1"
      })
  void bucketsAreThoseOfHudi(String key, String fields, int of4, int of256) {
    List<String> names = List.of(fields.split(","));
    assertThat(bucket(key, names, 4)).isEqualTo(of4);
    if (of256 >= 0) {
      assertThat(bucket(key, names, 256)).isEqualTo(of256);
    }
  }

  @Test
  void textBeyondAsciiCountsInUtf16Units() {
    for (String key : List.of("größe", "鍵", "\uD83D\uDE00")) {
      assertThat(bucket(key, List.of("id"), 1000))
          .isEqualTo((List.of(key).hashCode() & Integer.MAX_VALUE) % 1000);
    }
  }

  @Test
  void fileIdsNameTheirBucket() {
    FileId id = BucketHash.fileId("dt=1", 3, 0);
    assertThat(id.value()).matches("00000003-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-0");
    assertThat(BucketHash.bucketOf(id)).hasValue(3);
    assertThat(BucketHash.fileId("dt=1", 3, 0)).isEqualTo(id);
    assertThat(BucketHash.fileId("dt=2", 3, 0)).isNotEqualTo(id);
    assertThat(BucketHash.fileId("dt=1", 3, 1)).isNotEqualTo(id);
    assertThat(BucketHash.bucketOf(new FileId("ddbca89d-12b7-4d47-b12f-dd4eb18541da-0"))).isEmpty();
  }
}
