package io.hudilite.sink;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.clustering.ClusteringScheduler;
import io.hudilite.core.clustering.ClusteringStrategy;
import io.hudilite.core.clustering.ClusteringTrigger;
import io.hudilite.core.clustering.TableClustering;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** Clusters in this process. */
final class ClusteringCases {
  private ClusteringCases() {}

  static List<TableClustering.Result> cluster(String path) throws IOException {
    Storage storage = Storages.of(path);
    new ClusteringScheduler(
            ClusteringTrigger.ALWAYS, ClusteringStrategy.DEFAULT, InstantSource.system())
        .schedule(storage);
    return new TableClustering(
            storage,
            BaseFileSettings.DEFAULT,
            MergeMemory.DEFAULT,
            new TakeOver("test", Duration.ofMinutes(20), "", InstantSource.system()))
        .executePending();
  }
}
