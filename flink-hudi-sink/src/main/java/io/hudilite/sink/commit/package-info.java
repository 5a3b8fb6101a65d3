/**
 * How what the writers wrote becomes visible. {@link io.hudilite.sink.commit.CommitProtocol}
 * decides and knows no Flink and no storage: events in, effects out. {@link
 * io.hudilite.sink.commit.CommitCoordinator} is its shell in Flink, {@link
 * io.hudilite.sink.commit.CommitExecutor} carries the effects out.
 */
package io.hudilite.sink.commit;
