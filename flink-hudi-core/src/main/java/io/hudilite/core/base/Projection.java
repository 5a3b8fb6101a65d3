package io.hudilite.core.base;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** Cuts the schema of a file down to the wanted columns and the wanted fields in them. */
final class Projection {
  private Projection() {}

  /**
   * The part of {@code file} that has a wanted name.
   *
   * @throws io.hudilite.core.config.HudiTableException if a stored column cannot be what is wanted
   */
  static MessageType of(MessageType file, RowType wanted) {
    return new MessageType(file.getName(), wantedFields("", file, wanted));
  }

  private static List<Type> wantedFields(String parent, GroupType group, RowType wanted) {
    List<Type> fields = new ArrayList<>();
    for (RowType.RowField field : wanted.getFields()) {
      if (group.containsField(field.getName())) {
        String name = parent + field.getName();
        fields.add(prune(name, group.getType(field.getName()), field.getType()));
      }
    }
    return fields;
  }

  private static Type prune(String name, Type stored, LogicalType wanted) {
    boolean wantsGroup =
        wanted.is(LogicalTypeRoot.ROW)
            || wanted.is(LogicalTypeRoot.ARRAY)
            || wanted.is(LogicalTypeRoot.MAP);
    if (stored.isPrimitive() == wantsGroup) {
      throw ScalarReader.mismatch(name, stored, wanted);
    }
    if (stored.isPrimitive()) {
      return stored;
    }
    GroupType group = stored.asGroupType();
    return switch (wanted.getTypeRoot()) {
      case ARRAY -> pruneList(name, group, (ArrayType) wanted);
      case MAP -> pruneMap(name, group, (MapType) wanted);
      default -> pruneRow(name, group, (RowType) wanted);
    };
  }

  private static Type pruneRow(String name, GroupType group, RowType wanted) {
    if (group.getLogicalTypeAnnotation() != null) {
      throw ScalarReader.mismatch(name, group, wanted);
    }
    List<Type> fields = wantedFields(name + ".", group, wanted);
    // Without a wanted field one is still needed to tell a row from a null.
    return group.withNewFields(fields.isEmpty() ? List.of(group.getType(0)) : fields);
  }

  private static Type pruneList(String name, GroupType group, ArrayType wanted) {
    if (!(group.getLogicalTypeAnnotation()
            instanceof LogicalTypeAnnotation.ListLogicalTypeAnnotation)
        || group.getFieldCount() != 1
        || !group.getType(0).isRepetition(Type.Repetition.REPEATED)) {
      throw ScalarReader.mismatch(name, group, wanted);
    }
    Type repeated = group.getType(0);
    LogicalType elementType = wanted.getElementType();
    Type element = isElement(group, repeated) ? repeated : repeated.asGroupType().getType(0);
    Type pruned = prune(name + ".element", element, elementType);
    if (element == repeated) {
      // Kept whole: how many fields it has tells that it is the element itself.
      return group;
    }
    return group.withNewFields(repeated.asGroupType().withNewFields(pruned));
  }

  /**
   * Whether the repeated node of a list is the element itself (two levels) and not a shell around
   * it (three levels). Source: backward compatibility rules of Parquet's LogicalTypes.md.
   */
  static boolean isElement(GroupType list, Type repeated) {
    return repeated.isPrimitive()
        || repeated.asGroupType().getFieldCount() > 1
        || repeated.getName().equals("array")
        || repeated.getName().equals(list.getName() + "_tuple");
  }

  private static Type pruneMap(String name, GroupType group, MapType wanted) {
    boolean isMap =
        group.getFieldCount() == 1
            && !group.getType(0).isPrimitive()
            && group.getType(0).isRepetition(Type.Repetition.REPEATED)
            && group.getType(0).asGroupType().getFieldCount() == 2;
    if (!isMap) {
      throw ScalarReader.mismatch(name, group, wanted);
    }
    GroupType entry = group.getType(0).asGroupType();
    return group.withNewFields(
        entry.withNewFields(
            prune(name + ".key", entry.getType(0), wanted.getKeyType()),
            prune(name + ".value", entry.getType(1), wanted.getValueType())));
  }
}
