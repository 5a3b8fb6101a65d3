package io.hudilite.source.order;

import java.util.HashMap;
import java.util.Map;

/** {@link KeyOrder} with its state in a map: what the operator does with Flink's state. */
public final class KeyOrderModel {
  private final Map<String, Long> newest = new HashMap<>();
  private long reached = Long.MIN_VALUE;

  public boolean pass(String key, long timestamp) {
    Long before = newest.get(key);
    if (KeyOrder.isOvertaken(before, timestamp)) {
      return false;
    }
    if (KeyOrder.isRemembered(before, timestamp, reached)) {
      newest.put(key, timestamp);
    }
    return true;
  }

  public void advance(long watermark) {
    reached = Math.max(reached, watermark);
    newest.values().removeIf(timestamp -> timestamp <= reached);
  }

  public long reached() {
    return reached;
  }

  public void remember(String key, long timestamp) {
    newest.put(key, timestamp);
  }

  public Map<String, Long> remembered() {
    return newest;
  }
}
