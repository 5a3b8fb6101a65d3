package io.hudilite.core.base;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;

/** Footers of any key-values, and of bytes that are no footer. */
class FooterScanTest {
  private static final String KEY = "wanted";

  @Property(tries = 200)
  void theValueIsWhereItIsFound(
      @ForAll @Size(max = 40) List<@IntRange(max = 300) Integer> lengths,
      @ForAll @IntRange(max = 60) int wantedAt,
      @ForAll @IntRange(max = 5_000) int cut)
      throws IOException {
    List<KeyValue> values = new ArrayList<>();
    for (int i = 0; i < lengths.size(); i++) {
      KeyValue value = new KeyValue(i == wantedAt ? KEY : "k" + i);
      values.add(lengths.get(i) == 0 ? value : value.setValue("x".repeat(lengths.get(i))));
    }
    FileMetaData footer =
        new FileMetaData(1, List.of(new SchemaElement("root").setNum_children(0)), 0, List.of());
    footer.setKey_value_metadata(values).setCreated_by("somebody");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Util.writeFileMetaData(footer, out);
    byte[] bytes = out.toByteArray();

    Optional<FooterScan.Place> found =
        FooterScan.findValue(
            ByteBuffer.wrap(bytes, 0, Math.min(cut, bytes.length)), bytes.length, KEY);
    boolean isThere = wantedAt < values.size() && values.get(wantedAt).isSetValue();
    if (cut >= bytes.length || found.isPresent()) {
      assertThat(found.isPresent()).isEqualTo(isThere);
    }
    if (found.isPresent()) {
      int from = (int) found.get().position();
      String expected = values.get(wantedAt).getValue();
      assertThat(new String(bytes, from, found.get().length(), UTF_8)).isEqualTo(expected);
      assertThat(found.get().lengthAt()).isBetween(from - 2, from - 1);
    }
  }

  @Property(tries = 500)
  void anyBytesComeToAnEnd(@ForAll byte[] bytes) {
    FooterScan.findValue(ByteBuffer.wrap(bytes), bytes.length, KEY)
        .ifPresent(place -> assertThat(place.end()).isLessThanOrEqualTo(bytes.length));
  }
}
