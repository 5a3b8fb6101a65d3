package io.hudilite.core.table;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.merge.ColumnHistory;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.view.FileSystemView;
import java.io.IOException;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.avro.Schema;
import org.apache.flink.table.types.logical.RowType;

/**
 * The front door to one table: its config, and its timeline as it was when the table was opened or
 * refreshed. It never changes; safe for several threads.
 */
public final class HudiTable {
  private final Storage storage;
  private final TableConfig config;
  private final TimelineStore timelineStore;
  private final Timeline timeline;
  @Nullable private TableSchema schema;
  @Nullable private Schema avroSchema;
  private ColumnHistory columnHistory = ColumnHistory.NONE;
  @Nullable private FileSystemView view;

  private HudiTable(
      Storage storage, TableConfig config, TimelineStore timelineStore, Timeline timeline) {
    this.storage = requireNonNull(storage, "storage");
    this.config = requireNonNull(config, "config");
    this.timelineStore = requireNonNull(timelineStore, "timelineStore");
    this.timeline = requireNonNull(timeline, "timeline");
  }

  /**
   * Reads the table config and the timeline.
   *
   * @throws HudiTableException if there is no table that can be read here
   */
  public static HudiTable open(Storage storage) throws IOException {
    TableConfig config = TableConfigStore.load(storage);
    TimelineStore timelineStore = new TimelineStore(storage, config);
    return new HudiTable(storage, config, timelineStore, timelineStore.load());
  }

  /** This table with its timeline read anew. */
  public HudiTable refresh() throws IOException {
    return new HudiTable(storage, config, timelineStore, timelineStore.load());
  }

  public Storage storage() {
    return storage;
  }

  public TableConfig config() {
    return config;
  }

  public TimelineStore timelineStore() {
    return timelineStore;
  }

  /** As of opening; {@link #refresh()} gives a newer one. */
  public Timeline timeline() {
    return timeline;
  }

  /**
   * The columns: as the newest commit tells that does, else as the table was created. Source: Hudi
   * 1.0.2 TableSchemaResolver.
   *
   * @throws HudiTableException if neither tells
   */
  public synchronized TableSchema schema() throws IOException {
    if (schema == null) {
      Schema avro = avroSchema();
      RowType rowType = AvroSchemas.withoutMetaColumns(AvroSchemas.toRowType(avro));
      schema =
          new TableSchema(
              rowType,
              config.recordKeyFields(),
              config.partitionFields(),
              config.mergeBehavior().orderingFields());
    }
    return schema;
  }

  /**
   * The same as it is stored: the table's own columns, without meta columns.
   *
   * @throws HudiTableException if it is not known
   */
  public synchronized Schema avroSchema() throws IOException {
    if (avroSchema == null) {
      avroSchema = newestSchema();
    }
    return avroSchema;
  }

  private Schema newestSchema() throws IOException {
    List<Instant> instants = timeline.instants();
    for (int i = instants.size() - 1; i >= 0; i--) {
      if (instants.get(i) instanceof Instant.Completed completed
          && completed.action().writesData()) {
        CommitMetadata commit = timelineStore.readCommit(completed);
        if (!commit.isTableService() && commit.schema().isPresent()) {
          if (commit.extra(SchemaHistory.LATEST_SCHEMA).isPresent()) {
            columnHistory = SchemaHistory.load(storage);
          }
          return new Schema.Parser().parse(commit.schema().get());
        }
      }
    }
    return new Schema.Parser()
        .parse(
            config
                .createSchema()
                .orElseThrow(
                    () ->
                        new HudiTableException(
                            ("The columns of the table at '%s' are not known: none of its commits"
                                    + " has a schema, nor has '%s'. Write a commit with a schema,"
                                    + " or add the Avro schema to .hoodie/hoodie.properties.")
                                .formatted(storage.location(), TableConfig.CREATE_SCHEMA))));
  }

  /** How record keys and partition paths are made of columns. */
  public KeyFormat keyFormat() {
    return KeyFormat.of(config);
  }

  /**
   * The file slices at this point of the timeline. The same object each time; it lists each folder
   * once.
   */
  public synchronized FileSystemView view() throws IOException {
    if (view == null) {
      view = FileSystemView.load(storage, config, timeline, timelineStore);
    }
    return view;
  }

  /**
   * For readers of this table, with {@link MergeMemory#DEFAULT}.
   *
   * @throws HudiTableException if the rows are merged in a way that is not known here
   */
  public ReadContext readContext() throws IOException {
    config.requireReadable(storage.location());
    TableSchema columns = schema();
    return new ReadContext(storage, config, columns, MergeMemory.DEFAULT, columnHistory());
  }

  private synchronized ColumnHistory columnHistory() {
    return columnHistory;
  }

  /**
   * Commits of ours do not carry the history of the columns on, so that names of now would be
   * looked for in old files.
   *
   * @throws HudiTableException if a column was renamed, or dropped and added again, and there may
   *     be files with its old name
   */
  public void requireNamesStay() throws IOException {
    schema();
    if (columnHistory().hasRenamed()) {
      throw new HudiTableException(
          ("The table at '%s' cannot be written here: columns of it were renamed, or dropped and"
                  + " added again, with schema evolution on read, which other engines would forget by"
                  + " a commit from here. Rewrite the table with Hudi into a new one, or write it with"
                  + " Hudi.")
              .formatted(storage.location()));
    }
  }
}
