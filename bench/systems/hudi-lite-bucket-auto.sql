-- hudi-lite MERGE_ON_READ, bucket index, no state, Parquet log blocks unless they are small. No compaction.
-- @flink 1.20.3
-- @commit-dir ${WAREHOUSE_PATH}/${TABLE}/.hoodie/timeline
-- @commit-regex \d+_\d+\.(delta)?commit
-- @unsupported partial-update
-- @hint batch /*+ OPTIONS('read.tasks' = '2') */
-- @hint stream /*+ OPTIONS('read.streaming.enabled' = 'true', 'read.start-commit' = 'earliest', 'read.streaming.check-interval' = '1') */
-- @section setup
-- It has a key, as every table of hudi-lite, but inserts look no key up.
-- @section table append
CREATE TABLE IF NOT EXISTS ${TABLE} (${COLUMNS}, PRIMARY KEY (id) NOT ENFORCED) ${PARTITIONED_BY}
WITH ('connector' = 'hudi-lite', 'path' = '${WAREHOUSE}/${TABLE}', 'table.type' = 'MERGE_ON_READ',
 'ordering.fields' = 'ts', 'write.tasks' = '2', 'write.operation' = 'insert');
-- @section table upsert
CREATE TABLE IF NOT EXISTS ${TABLE} (${COLUMNS}, PRIMARY KEY (id) NOT ENFORCED) ${PARTITIONED_BY}
WITH ('connector' = 'hudi-lite', 'path' = '${WAREHOUSE}/${TABLE}', 'table.type' = 'MERGE_ON_READ',
 'ordering.fields' = 'ts', 'write.tasks' = '2', 'index.type' = 'BUCKET', 'hoodie.logfile.data.block.format' = 'auto',
 'hoodie.bucket.index.num.buckets' = '${BUCKETS}', 'compaction.async.enabled' = 'false', 'compaction.schedule.enabled' = 'false');
-- @section compact
-- @main io.hudilite.sink.HudiMaintenance compact --path ${WAREHOUSE}/${TABLE} --tasks 2 --compaction.delta_commits 1
