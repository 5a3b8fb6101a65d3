package io.hudilite.source.monitor;

import io.hudilite.source.split.HudiSplit;
import io.hudilite.source.split.TickReached;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import javax.annotation.Nullable;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;

/**
 * The coordinator's side of Flink, one step at a time: looks at the table run when the test says
 * so, and their results arrive when the test says so.
 */
final class FakeEnumeratorContext implements SplitEnumeratorContext<HudiSplit> {
  private final int parallelism;
  private final Map<Integer, ReaderInfo> registered = new HashMap<>();
  private final Queue<Runnable> looks = new ArrayDeque<>();
  private final Queue<Runnable> results = new ArrayDeque<>();
  private final BiConsumer<Integer, HudiSplit> assign;
  private final IntConsumer noMoreSplits;
  private final List<String> events = new ArrayList<>();
  private BiConsumer<Integer, TickReached> onTick = (reader, tick) -> {};
  @Nullable private Runnable periodicLook;
  @Nullable private Runnable renewal;

  FakeEnumeratorContext(
      int parallelism, BiConsumer<Integer, HudiSplit> assign, IntConsumer noMoreSplits) {
    this.parallelism = parallelism;
    this.assign = assign;
    this.noMoreSplits = noMoreSplits;
  }

  /** Each as "reader:tick". */
  List<String> events() {
    return events;
  }

  void onTick(BiConsumer<Integer, TickReached> consumer) {
    onTick = consumer;
  }

  void register(int reader) {
    registered.put(reader, new ReaderInfo(reader, "host"));
  }

  void unregister(int reader) {
    registered.remove(reader);
  }

  /** Runs the next look that was asked for, or the periodic one. False if there is none. */
  boolean runLook() {
    Runnable look = looks.isEmpty() ? periodicLook : looks.poll();
    if (look == null) {
      return false;
    }
    look.run();
    return true;
  }

  /** Runs the periodic renewal of the lease, with its result. */
  void runRenewal() {
    renewal.run();
    results.remove().run();
  }

  /** Hands the oldest result to the enumerator. False if there is none. */
  boolean deliverResult() {
    Runnable result = results.poll();
    if (result == null) {
      return false;
    }
    result.run();
    return true;
  }

  private <T> Runnable look(Callable<T> callable, BiConsumer<T, Throwable> handler) {
    return () -> {
      T value;
      try {
        value = callable.call();
      } catch (Exception e) {
        results.add(() -> handler.accept(null, e));
        return;
      }
      results.add(() -> handler.accept(value, null));
    };
  }

  @Override
  public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
    looks.add(look(callable, handler));
  }

  @Override
  public <T> void callAsync(
      Callable<T> callable, BiConsumer<T, Throwable> handler, long delay, long period) {
    if (delay > 0) { // the first look is taken at once
      renewal = look(callable, handler);
    } else {
      periodicLook = look(callable, handler);
    }
  }

  @Override
  public void assignSplits(SplitsAssignment<HudiSplit> assignments) {
    assignments
        .assignment()
        .forEach(
            (reader, splits) -> {
              if (!registered.containsKey(reader)) {
                throw new IllegalArgumentException("Reader " + reader + " is not registered");
              }
              splits.forEach(split -> assign.accept(reader, split));
            });
  }

  @Override
  public void signalNoMoreSplits(int reader) {
    noMoreSplits.accept(reader);
  }

  @Override
  public int currentParallelism() {
    return parallelism;
  }

  @Override
  public Map<Integer, ReaderInfo> registeredReaders() {
    return registered;
  }

  @Nullable
  @Override
  public SplitEnumeratorMetricGroup metricGroup() {
    return null;
  }

  @Override
  public void sendEventToSourceReader(int reader, SourceEvent event) {
    if (!registered.containsKey(reader)) {
      throw new IllegalArgumentException("Reader " + reader + " is not registered");
    }
    TickReached tick = (TickReached) event;
    events.add(reader + ":" + tick.tick());
    onTick.accept(reader, tick);
  }

  @Override
  public void runInCoordinatorThread(Runnable runnable) {
    runnable.run();
  }
}
