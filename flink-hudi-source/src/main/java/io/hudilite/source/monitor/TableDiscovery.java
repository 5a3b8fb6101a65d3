package io.hudilite.source.monitor;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableVersion;
import io.hudilite.core.readerlease.ReaderLeaseKeeper;
import io.hudilite.core.readerlease.ReaderLeaseStore;
import io.hudilite.core.scan.IncrementalPlanner;
import io.hudilite.core.scan.ScanRange;
import io.hudilite.core.scan.SplitCutter;
import io.hudilite.core.scan.StartingPosition;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.write.RewindStore;
import io.hudilite.source.config.PartitionFilter;
import io.hudilite.source.config.RangeConfig.Commits;
import io.hudilite.source.config.ReadMode;
import io.hudilite.source.config.SourceConfig;
import java.io.IOException;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.flink.table.connector.source.DynamicFilteringData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Plans with the planners of the table. */
final class TableDiscovery implements Discovery {
  private static final Logger LOG = LoggerFactory.getLogger(TableDiscovery.class);
  private static final String META_FOLDER = ".hoodie";
  private static final String CONFIG_FILE = META_FOLDER + "/hoodie.properties";

  private final Storage storage;
  private final SourceConfig config;
  private final InstantSource clock;
  private volatile PartitionFilter partitions;

  /** Null before the table was there. */
  @Nullable private HudiTable table;

  private boolean saidThatItWaits;
  private boolean columnsChecked;

  /** The newest rollback or restore that was looked at; null before the first look. */
  @Nullable private InstantTime rewindsKnown;

  private final ReaderLeaseKeeper lease;

  /**
   * @param reader name of the reader, that no other reader of the table has
   */
  TableDiscovery(Storage storage, SourceConfig config, InstantSource clock, String reader) {
    this.lease = new ReaderLeaseKeeper(storage, clock, reader, ReaderLeaseStore.DEFAULT_LIFE);
    this.clock = requireNonNull(clock, "clock");
    this.storage = requireNonNull(storage, "storage");
    this.config = requireNonNull(config, "config");
    this.partitions = config.partitions();
  }

  @Override
  public Found plan(@Nullable InstantTime position) throws IOException {
    Optional<HudiTable> now = openNow();
    if (now.isEmpty()) {
      return new Found(
          position == null ? nothingYet() : Optional.empty(), List.of(), ZoneOffset.UTC);
    }
    HudiTable seen = hold(now.get(), position);
    requireColumns(seen);
    if (position != null) {
      requireNotTakenBack(seen, position);
    }
    Optional<ScanRange> range = planRange(seen, position);
    return found(seen, range, range.isEmpty() && isOver(seen));
  }

  /**
   * The lease comes before the plan, and the plan is made of the table as it is then: a clean that
   * did not know of the lease deletes nothing that is new by then. Other engines do not look at
   * leases, nor are older and newer tables cleaned here.
   */
  private HudiTable hold(HudiTable now, @Nullable InstantTime position) throws IOException {
    if (lease.position() != null || now.config().version() != TableVersion.EIGHT) {
      return now;
    }
    lease.hold(position == null ? beginning(now) : position);
    table = now.refresh();
    return table;
  }

  /** What a read that begins needs the table from. */
  private InstantTime beginning(HudiTable now) {
    ReadMode mode = config.mode();
    if (mode instanceof ReadMode.AsOf asOf) {
      return asOf.instant();
    }
    StartingPosition start =
        mode instanceof ReadMode.Continuous continuous
            ? continuous.start()
            : mode instanceof ReadMode.Changes changes
                ? changes.start()
                : new StartingPosition.Earliest();
    if (start instanceof StartingPosition.At at) {
      return IncrementalPlanner.justBefore(at.time());
    }
    // Of the latest commit the changes are read: it completed after it was requested.
    return start instanceof StartingPosition.Latest
        ? now.timeline()
            .lastCompletedWrite()
            .map(Instant.Completed::requestedTime)
            .orElse(InstantTime.BEGINNING)
        : now.timeline().lastCompletion().orElse(InstantTime.BEGINNING);
  }

  @Override
  public void keep(InstantTime needed) {
    InstantTime held = lease.position();
    if (held != null) {
      lease.renew(needed.equals(NeededPosition.UNKNOWN) ? held : needed);
    }
  }

  @Override
  public void end() {
    lease.release();
  }

  @Override
  public boolean waitsForPartitions() {
    return config.dynamicPartitions() != null;
  }

  @Override
  public void narrow(DynamicFilteringData values) {
    if (config.dynamicPartitions() != null) {
      PartitionFilter named = config.partitions();
      PartitionFilter joined = config.dynamicPartitions().of(values);
      partitions = path -> named.test(path) && joined.test(path);
    }
  }

  @Override
  public Found look() throws IOException {
    Optional<HudiTable> now = openNow();
    return now.isPresent()
        ? found(now.get(), Optional.empty(), false)
        : new Found(Optional.empty(), List.of(), ZoneOffset.UTC);
  }

  /** A commit that was begun before the end counts whenever it completes. */
  private boolean isOver(HudiTable now) {
    if (!(config.mode() instanceof ReadMode.Continuous continuous) || continuous.end() == null) {
      return false;
    }
    InstantTime end = continuous.end();
    return InstantTime.ofMillis(clock.millis(), now.config().timelineZone()).isAfter(end)
        && now.timeline().pendingWrites().stream()
            .noneMatch(
                pending ->
                    pending.action() != Action.COMPACTION
                        && pending.action() != Action.LOG_COMPACTION
                        && !pending.requestedTime().isAfter(end));
  }

  private Found found(HudiTable now, Optional<ScanRange> range, boolean isOver) {
    List<InstantTime> completions =
        now.timeline().completedWrites().stream().map(Instant.Completed::completionTime).toList();
    boolean goesOn =
        range.isPresent()
            && !config.mode().isBounded()
            && config.ranges().commits() == Commits.ONE_BY_ONE;
    return new Found(range, completions, now.config().timelineZone(), isOver, goesOn);
  }

  private Optional<ScanRange> planRange(HudiTable now, @Nullable InstantTime position)
      throws IOException {
    IncrementalPlanner changes = changesPlanner();
    ReadMode mode = config.mode();
    if (mode instanceof ReadMode.Continuous continuous) {
      changes =
          switch (config.ranges().commits()) {
            case TOGETHER -> changes.atMost(config.ranges().maxCommits());
            case ONE_BY_ONE -> changes.atMost(1);
          };
      changes = changes.atMostSplits(config.ranges().maxSplits());
      changes = continuous.end() == null ? changes : changes.until(continuous.end());
      return position == null
          ? Optional.of(cut(changes.first(now, continuous.start())))
          : changes.next(now, position);
    }
    if (mode instanceof ReadMode.Changes wanted) {
      IncrementalPlanner bounded = wanted.end() == null ? changes : changes.until(wanted.end());
      return Optional.of(bounded.first(now, wanted.start()));
    }
    InstantTime newest = now.timeline().lastCompletion().orElse(InstantTime.BEGINNING);
    return Optional.of(
        cut(ScanRange.ofOneStage(newest, StatePlanner.plan(now, config, partitions))));
  }

  /** Files of a state of the table are shared by readers, those of changes are not. */
  private ScanRange cut(ScanRange range) {
    SplitCutter cutter = new SplitCutter(config.ranges().splitBytes());
    return new ScanRange(
        range.end(), range.stages().stream().map(cutter::cut).toList(), range.movesKeys());
  }

  private IncrementalPlanner changesPlanner() {
    IncrementalPlanner changes = new IncrementalPlanner(partitions);
    if (config.isStaged()) {
      changes = changes.inOneStage();
    }
    changes =
        switch (config.ranges().overwrites()) {
          case READ -> changes;
          case SKIP -> changes.withoutOverwrites();
        };
    return switch (config.ranges().deletes()) {
      case READ -> changes;
      case SKIP -> changes.upsertsOnly();
    };
  }

  /**
   * A read from the latest commit on that finds no table has seen the whole table: what is
   * committed from now on, were it several commits before the next look, comes after.
   */
  private Optional<ScanRange> nothingYet() {
    return config.mode() instanceof ReadMode.Continuous continuous
            && continuous.start() instanceof StartingPosition.Latest
        ? Optional.of(new ScanRange(InstantTime.BEGINNING, List.of()))
        : Optional.empty();
  }

  /** Empty if the table is not there yet and the read is one that waits for it. */
  private Optional<HudiTable> openNow() throws IOException {
    if (table != null) {
      table = table.refresh();
      return Optional.of(table);
    }
    if (!config.mode().isBounded() && !storage.exists(CONFIG_FILE)) {
      requireNoOtherFiles();
      if (!saidThatItWaits) {
        saidThatItWaits = true;
        LOG.info(
            "There is no table at '{}' yet. Waiting for its first writer, looking again every {}.",
            storage.location(),
            config.mode() instanceof ReadMode.Continuous c ? c.checkInterval() : "time");
      }
      return Optional.empty();
    }
    table = HudiTable.open(storage);
    return Optional.of(table);
  }

  private void requireNoOtherFiles() throws IOException {
    List<StoredFile> entries = storage.list("");
    if (!entries.isEmpty() && entries.stream().noneMatch(e -> e.name().equals(META_FOLDER))) {
      throw new HudiTableException(
          "'%s' is no table: it holds %d entries, such as '%s', but no folder '%s'. Set 'path' to the base path of a table, or to a folder that is empty or not there yet."
              .formatted(storage.location(), entries.size(), entries.get(0).name(), META_FOLDER));
    }
  }

  /** What was read already cannot be called back. A listing whenever there is a newer rollback. */
  private void requireNotTakenBack(HudiTable now, InstantTime position) throws IOException {
    InstantTime newest =
        now.timeline().instants().stream()
            .filter(i -> i.action() == Action.RESTORE || i.action() == Action.ROLLBACK)
            .map(Instant::requestedTime)
            .reduce(InstantTime.BEGINNING, (a, b) -> b.isAfter(a) ? b : a);
    if (newest.equals(rewindsKnown)) {
      return;
    }
    for (RewindStore.Rewind rewind :
        new RewindStore(storage).after(position, now.timeline(), now.timelineStore())) {
      if (!rewind.since().isAfter(position)) {
        throw new HudiTableException(
            ("Changes of '%s' up to %s were read, and what completed from %s on was taken out of"
                    + " the table again, by the restore or rollback %s. What was read cannot be"
                    + " called back: start the read anew, from 'earliest' or with"
                    + " 'read.start-commit' set, and let what is behind it start anew, too.")
                .formatted(storage.location(), position, rewind.since(), rewind.time()));
      }
    }
    rewindsKnown = newest;
  }

  /** Once: what no version of the table has is an error, not a column of nulls. */
  private void requireColumns(HudiTable now) throws IOException {
    if (columnsChecked || now.timeline().completedWrites().isEmpty()) {
      return;
    }
    List<String> columns = now.schema().rowType().getFieldNames();
    for (String wanted : config.rowType().getFieldNames()) {
      if (!columns.contains(wanted) && !MetaColumns.isMetaColumn(wanted)) {
        throw new HudiTableException(
            "Column '%s' is not in the table '%s'. Its columns are %s and %s. Take one of these, or leave it out."
                .formatted(wanted, storage.location(), columns, MetaColumns.NAMES));
      }
    }
    columnsChecked = true;
  }
}
