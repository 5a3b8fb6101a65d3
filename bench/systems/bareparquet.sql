-- Flink's filesystem connector over the Parquet files that another system left: the ceiling of a scan.
-- Only for --skip-prepare --warehouse DIR, where DIR holds files of the newest state alone.
-- @flink 1.20.3
-- @unsupported append stream-read restart upsert-update upsert-load cdc point-update-amplification partial-update
-- @section setup
-- @section table upsert
CREATE TABLE IF NOT EXISTS ${TABLE} (${COLUMNS})
WITH ('connector' = 'filesystem', 'path' = '${WAREHOUSE}/${TABLE}', 'format' = 'parquet', 'parquet.utc-timezone' = 'true',
 'source.path.regex-pattern' = '.*/[^./][^/]*\.parquet');
-- @section compact
