package io.hudilite.core.merge;

import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.base.RowReader;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.key.KeyParser;
import io.hudilite.core.schema.MetaColumns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * The keys that a base file has and the one that replaced it has not, as rows of kind DELETE: in
 * copy-on-write tables nothing else tells of deletes. Keeps the keys of the newer file on the heap.
 */
public final class RemovedRowsReader implements RowReader {
  private final BaseFile newer;
  private final LogRecordMap kept;
  private final BaseFileReader rows;
  private final OrderingColumns ordering;
  private final DeletedRows deletedRows;
  private final Version version = new Version();

  private RemovedRowsReader(
      BaseFile newer,
      LogRecordMap kept,
      BaseFileReader rows,
      OrderingColumns ordering,
      DeletedRows deletedRows) {
    this.newer = newer;
    this.kept = kept;
    this.rows = rows;
    this.ordering = ordering;
    this.deletedRows = deletedRows;
  }

  public static RemovedRowsReader open(
      ReadContext context, BaseFile older, BaseFile newer, RowType wanted) throws IOException {
    List<String> orderingNames = context.schema().orderingColumns();
    RowType tableType = context.schema().rowType();
    List<RowType.RowField> fields = new ArrayList<>();
    fields.add(
        new RowType.RowField(MetaColumns.RECORD_KEY, new VarCharType(VarCharType.MAX_LENGTH)));
    for (String name : orderingNames) {
      fields.add(new RowType.RowField(name, tableType.getTypeAt(tableType.getFieldIndex(name))));
    }
    RowType read = new RowType(false, fields);
    DeletedRows deletedRows =
        new DeletedRows(
            new KeyParser(context.schema(), KeyFormat.of(context.config())),
            context.schema(),
            newer.groupId(),
            wanted);
    LogRecordMap kept = keysOf(context, newer);
    try {
      return new RemovedRowsReader(
          newer,
          kept,
          BaseFileReader.open(
              context.storage(),
              older.path(),
              older.lengthBytes(),
              context.columns().inFile(read, older.name().instant())),
          new OrderingColumns(orderingNames, read, tableType),
          deletedRows);
    } catch (IOException | RuntimeException e) {
      kept.close();
      throw e;
    }
  }

  private static LogRecordMap keysOf(ReadContext context, BaseFile file) throws IOException {
    RowType keyOnly =
        RowType.of(
            new VarCharType[] {new VarCharType(VarCharType.MAX_LENGTH)},
            new String[] {MetaColumns.RECORD_KEY});
    LogRecordMap keys = new LogRecordMap(new CommitTimeMerger(), context.memory());
    Version any = new Version().setNone(true);
    try (BaseFileReader reader =
        BaseFileReader.open(context.storage(), file.path(), file.lengthBytes(), keyOnly)) {
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        byte[] key = row.getString(0).toBytes();
        keys.delete(key, 0, key.length, any, 0);
      }
    } catch (IOException | RuntimeException e) {
      keys.close();
      throw e;
    }
    return keys;
  }

  @Override
  @Nullable
  public RowData next() throws IOException {
    for (RowData row = rows.next(); row != null; row = rows.next()) {
      byte[] key = row.getString(0).toBytes();
      if (kept.find(key, 0, key.length) == LogRecordMap.NONE) {
        ordering.read(row, true, version);
        return deletedRows.row(key, version.toOrderingValue(), newer.name().instant());
      }
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    try {
      rows.close();
    } finally {
      kept.close();
    }
  }
}
