package io.hudilite.core.scan;

import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.merge.SliceKeyReader;
import io.hudilite.core.merge.Version;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** What an index knows after it has read one split, in the two ways there are to read it. */
final class IndexVersions {
  private IndexVersions() {}

  /** Versions as text by key, from {@link IndexScanner#scan}. */
  static Map<String, String> newest(ReadContext context, ScanSplit split) throws IOException {
    boolean keepsDeletes = RecordMerger.of(context.config()).usesOrdering();
    Map<String, String> versions = new TreeMap<>();
    new IndexScanner(context)
        .scan(
            split,
            entry -> {
              if (!entry.isDelete() || keepsDeletes) {
                versions.put(
                    new String(entry.recordKey(), StandardCharsets.UTF_8),
                    new Version().set(entry.isDelete(), entry.ordering()).toString());
              }
            });
    return versions;
  }

  /** The same from {@link IndexScanner#scanVersions}, folded as an index does. */
  static Map<String, String> folded(ReadContext context, ScanSplit split) throws IOException {
    RecordMerger merger = RecordMerger.of(context.config());
    Map<String, Version> versions = new TreeMap<>();
    new IndexScanner(context)
        .scanVersions(
            split,
            new SliceKeyReader.Visitor() {
              private String key;

              @Override
              public boolean wants(byte[] bytes, int offset, int length) {
                key = new String(bytes, offset, length, StandardCharsets.UTF_8);
                return true;
              }

              @Override
              public void visit(Version version) {
                Version old = versions.get(key);
                if (old != null && !merger.laterWins(old, version)) {
                  return;
                }
                if (version.isDelete() && !merger.usesOrdering()) {
                  versions.remove(key);
                } else {
                  versions.put(
                      key, new Version().set(version.isDelete(), version.toOrderingValue()));
                }
              }
            });
    Map<String, String> texts = new TreeMap<>();
    versions.forEach((key, version) -> texts.put(key, version.toString()));
    return texts;
  }
}
