package io.hudilite.bench;

import java.util.Collections;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.SourceProvider;
import org.apache.flink.table.factories.DynamicTableSourceFactory;

/** 'connector'='benchgen', 'run'='NAME': the operations of Control.RUNS.get(NAME).spec. */
public final class GenTableFactory implements DynamicTableSourceFactory {
  private static final ConfigOption<String> RUN =
      ConfigOptions.key("run").stringType().noDefaultValue();

  @Override
  public String factoryIdentifier() {
    return "benchgen";
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Collections.singleton(RUN);
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Collections.emptySet();
  }

  @Override
  public DynamicTableSource createDynamicTableSource(Context context) {
    return new TableSource(context.getCatalogTable().getOptions().get("run"));
  }

  private static final class TableSource implements ScanTableSource {
    private final String run;

    TableSource(String run) {
      this.run = run;
    }

    @Override
    public ChangelogMode getChangelogMode() {
      return Control.RUNS.get(run).spec.mode == Gen.Mode.CDC
          ? ChangelogMode.all()
          : ChangelogMode.insertOnly();
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext ctx) {
      return SourceProvider.of(new GenSource(run, Control.RUNS.get(run).spec));
    }

    @Override
    public DynamicTableSource copy() {
      return new TableSource(run);
    }

    @Override
    public String asSummaryString() {
      return "benchgen";
    }
  }
}
