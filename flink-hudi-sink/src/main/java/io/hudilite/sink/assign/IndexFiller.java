package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.merge.SliceKeyReader;
import io.hudilite.core.merge.Version;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.record.GroupAddress;
import io.hudilite.sink.record.RecordKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;

/**
 * Puts what the files of the table say into the index, as far as the keys are this task's own.
 * Makes no object for a key that is not, and none but those that state keeps for one that is. Not
 * safe for use by several threads.
 */
final class IndexFiller implements SliceKeyReader.Visitor {
  private final RecordIndex index;
  private final Assignment assignment;
  private final GroupDictionary groups;
  private final IndexScope scope;
  private final Predicate<RecordKey> isOwn;

  /** Null if the index had keys before. */
  @Nullable private final SeenHashes seen;

  private final RecordKey key = new RecordKey();
  private FileGroupId groupId;
  private byte[] partitionPath;

  /** Null before the first own key of the file group. */
  @Nullable private GroupAddress group;

  private long versions;

  /**
   * @param isOwn whether a key is to be taken in; must not keep it
   * @param isEmpty whether the index has no key yet
   */
  IndexFiller(
      RecordIndex index,
      Assignment assignment,
      GroupDictionary groups,
      IndexScope scope,
      Predicate<RecordKey> isOwn,
      boolean isEmpty) {
    this.index = requireNonNull(index, "index");
    this.assignment = requireNonNull(assignment, "assignment");
    this.groups = requireNonNull(groups, "groups");
    this.scope = requireNonNull(scope, "scope");
    this.isOwn = requireNonNull(isOwn, "isOwn");
    this.seen = isEmpty ? new SeenHashes() : null;
  }

  /** What comes now is from this file group. */
  IndexFiller of(FileGroupId id) {
    groupId = id;
    group = null;
    partitionPath = id.partitionPath().getBytes(StandardCharsets.UTF_8);
    return this;
  }

  /** How many versions of own keys came so far. */
  long versions() {
    return versions;
  }

  @Override
  public boolean wants(byte[] bytes, int offset, int length) {
    return isOwn.test(key.set(bytes, offset, length, partitionPath, scope));
  }

  @Override
  public void visit(Version version) throws IOException {
    visit(version, null);
  }

  @Override
  public void visit(Version version, @Nullable RowData row) throws IOException {
    versions++;
    if (group == null) {
      group = groups.add(groupId);
    }
    index.select(key);
    try {
      if (seen == null || seen.addOrMeet(key.hashCode())) {
        assignment.learn(group, version, row);
      } else {
        assignment.learnNew(group, version, row);
      }
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("The state of the index cannot be written", e);
    }
  }
}
