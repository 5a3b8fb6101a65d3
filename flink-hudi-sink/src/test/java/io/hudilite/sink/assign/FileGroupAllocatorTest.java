package io.hudilite.sink.assign;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileGroupAllocatorTest {
  private int opened;

  private FileGroupAllocator allocator(int groups, FileGroupAllocator.SmallGroup... small) {
    return new FileGroupAllocator(
        100, groups, partition -> List.of(small), () -> new FileId("new" + opened++));
  }

  private static FileGroupId id(String name) {
    return new FileGroupId("p", new FileId(name));
  }

  @Test
  void smallGroupsAreFilledFirst() {
    FileGroupAllocator allocator =
        allocator(
            1,
            new FileGroupAllocator.SmallGroup(id("a"), 50),
            new FileGroupAllocator.SmallGroup(id("b"), 90));
    assertThat(allocator.allocate("p", 40)).isEqualTo(id("a"));
    assertThat(allocator.allocate("p", 20)).isEqualTo(id("new0"));
    assertThat(allocator.isNew(id("a"))).isFalse();
    assertThat(allocator.isNew(id("new0"))).isTrue();
  }

  @Test
  void groupIsNewUntilTheBarrierAndIsFilledBehindIt() {
    FileGroupAllocator allocator = allocator(1);
    assertThat(allocator.allocate("p", 40)).isEqualTo(id("new0"));
    allocator.onBarrier();
    assertThat(allocator.isNew(id("new0"))).isFalse();
    assertThat(allocator.allocate("p", 40)).isEqualTo(id("new0"));
    assertThat(allocator.allocate("p", 40)).isEqualTo(id("new1"));
  }

  @Test
  void rowLargerThanAFileGetsItsOwn() {
    FileGroupAllocator allocator = allocator(1);
    assertThat(allocator.allocate("p", 500)).isEqualTo(id("new0"));
    assertThat(allocator.allocate("p", 500)).isEqualTo(id("new1"));
  }

  @Test
  void severalGroupsAreFilledInTurns() {
    FileGroupAllocator allocator = allocator(2);
    assertThat(allocator.allocate("p", 1)).isEqualTo(id("new0"));
    assertThat(allocator.allocate("p", 1)).isEqualTo(id("new1"));
    assertThat(allocator.allocate("p", 1)).isEqualTo(id("new0"));
  }
}
