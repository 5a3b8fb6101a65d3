package io.hudilite.core.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.key.OrderingValue;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordMergerTest {
  private final RecordMerger eventTime = RecordMerger.of(MergeMode.EVENT_TIME_ORDERING);
  private final RecordMerger commitTime = RecordMerger.of(MergeMode.COMMIT_TIME_ORDERING);

  @Test
  void commitTimeTakesTheLaterOneWhateverItsOrdering() {
    assertThat(commitTime.laterWins(row(9), row(1))).isTrue();
    assertThat(commitTime.laterWins(row(9), delete(1))).isTrue();
    assertThat(commitTime.usesOrdering()).isFalse();
  }

  @Test
  void greaterOrderingWinsAndTheLaterOneOfTwoEqual() {
    assertThat(eventTime.laterWins(row(1), row(2))).isTrue();
    assertThat(eventTime.laterWins(row(2), row(2))).isTrue();
    assertThat(eventTime.laterWins(row(2), row(1))).isFalse();
  }

  @Test
  void deletesObeyOrdering() {
    assertThat(eventTime.laterWins(row(300), delete(200))).isFalse();
    assertThat(eventTime.laterWins(row(300), delete(300))).isTrue();
    assertThat(eventTime.laterWins(delete(300), row(250))).isFalse();
    assertThat(eventTime.laterWins(delete(300), row(301))).isTrue();
  }

  @Test
  void deleteWithoutOrderingWinsOverAllBeforeItAndLosesAgainstAllRowsAfterIt() {
    assertThat(eventTime.laterWins(row(Long.MAX_VALUE), intDelete(0))).isTrue();
    assertThat(eventTime.laterWins(row(1), new Version().setNone(true))).isTrue();
    assertThat(eventTime.laterWins(intDelete(0), row(-5))).isTrue();
    assertThat(eventTime.laterWins(intDelete(0), delete(5))).isFalse();
  }

  @Test
  void longZeroIsAnOrderingValue() {
    assertThat(eventTime.laterWins(row(1), delete(0))).isFalse();
  }

  @Test
  void valuesOfDifferentKindsAreNotCompared() {
    Version text = version(false, OrderingValue.ofString(new byte[] {'a'}));

    assertThat(eventTime.laterWins(row(7), text)).isTrue();
    assertThat(eventTime.laterWins(text, intDelete(3))).isTrue();
    assertThat(eventTime.laterWins(row(7), intDelete(3))).isTrue();
  }

  @Test
  void severalOrderingColumnsAreComparedOneAfterTheOther() {
    assertThat(eventTime.laterWins(list(1, 5), list(1, 4))).isFalse();
    assertThat(eventTime.laterWins(list(1, 5), list(2, 0))).isTrue();
    assertThat(
            eventTime.laterWins(
                list(1, 5),
                version(
                    true,
                    OrderingValue.ofList(List.of(OrderingValue.ofLong(0), OrderingValue.NONE)))))
        .as("a list with another kind in it")
        .isTrue();
  }

  @Test
  void customMergersAreRefusedWithTheWayOut() {
    assertThatThrownBy(() -> RecordMerger.of(MergeMode.CUSTOM))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("hoodie.record.merge.mode");
  }

  private static Version row(long ordering) {
    return version(false, OrderingValue.ofLong(ordering));
  }

  private static Version delete(long ordering) {
    return version(true, OrderingValue.ofLong(ordering));
  }

  private static Version intDelete(int ordering) {
    return version(true, OrderingValue.ofInt(ordering));
  }

  private static Version list(long first, int second) {
    return version(
        false,
        OrderingValue.ofList(List.of(OrderingValue.ofLong(first), OrderingValue.ofInt(second))));
  }

  private static Version version(boolean isDelete, OrderingValue ordering) {
    return new Version().set(isDelete, ordering);
  }
}
