package io.hudilite.bench;

import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Makes StreamExecutionEnvironment.getExecutionEnvironment(), as called by procedures and mains,
 * use the harness's cluster.
 */
final class ContextEnv extends StreamExecutionEnvironment {
  static void install(Map<String, String> base) {
    initializeContextEnvironment(
        conf -> {
          Configuration c = Configuration.fromMap(base);
          c.addAll(conf);
          c.addAll(
              Configuration.fromMap(
                  Map.of(
                      "execution.target",
                      "remote",
                      "execution.attached",
                      "true",
                      "rest.address",
                      base.get("rest.address"),
                      "rest.port",
                      base.get("rest.port"))));
          return new StreamExecutionEnvironment(c);
        });
  }

  private ContextEnv() {}
}
