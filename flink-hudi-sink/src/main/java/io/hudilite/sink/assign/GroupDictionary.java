package io.hudilite.sink.assign;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.sink.record.GroupAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * The file groups that the index names by number, so that there is one path per file group and none
 * per key. Not safe for use by several threads.
 */
final class GroupDictionary {
  /** A power of two. */
  private static final int LATELY = 1024;

  private final Map<Long, GroupAddress> byNumber = new LinkedHashMap<>();

  /** Groups asked for lately, each in the place that its number gives. */
  private final GroupAddress[] lately = new GroupAddress[LATELY];

  private final Map<FileGroupId, GroupAddress> byId = new HashMap<>();

  /** The address of a group, which is known from now on. The same object each time. */
  GroupAddress add(FileGroupId id) {
    GroupAddress known = byId.get(id);
    return known == null ? addNew(id) : known;
  }

  /** The address of a group; null if nobody has added it. */
  @Nullable
  GroupAddress find(FileGroupId id) {
    return byId.get(id);
  }

  private GroupAddress addNew(FileGroupId id) {
    GroupAddress address = new GroupAddress(id);
    GroupAddress other = byNumber.putIfAbsent(address.number(), address);
    if (other != null) {
      throw new IllegalStateException(
          "File groups %s and %s have the same number %x in the index"
              .formatted(other, address, address.number()));
    }
    byId.put(id, address);
    return address;
  }

  /**
   * @throws IllegalStateException if nobody added a group of this number
   */
  GroupAddress of(long number) {
    int place = (int) (number ^ (number >>> 32)) & (LATELY - 1);
    GroupAddress found = lately[place];
    if (found == null || found.number() != number) {
      found = byNumber.get(number);
      if (found == null) {
        throw new IllegalStateException(
            "The index names file group %x, which its state does not know".formatted(number));
      }
      lately[place] = found;
    }
    return found;
  }

  Collection<GroupAddress> all() {
    return byNumber.values();
  }

  int size() {
    return byNumber.size();
  }

  /**
   * Groups as text for state: partition path, a zero character, file id.
   *
   * @param from how many of the groups that were added first are left out
   */
  List<String> toTexts(int from) {
    return byNumber.values().stream()
        .skip(from)
        .map(group -> group.id().partitionPath() + '\0' + group.id().fileId())
        .toList();
  }

  /** The reverse of {@link #toTexts}, for one of them. */
  void addText(String text) {
    int end = text.indexOf('\0');
    add(new FileGroupId(text.substring(0, end), new FileId(text.substring(end + 1))));
  }
}
