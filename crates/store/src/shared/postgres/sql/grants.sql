-- The rights of the roles. A migration grants them again, so that new tables are covered.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA elenchus, pgmq FROM PUBLIC;
GRANT USAGE ON SCHEMA elenchus, pgmq TO elenchus_worker, elenchus_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA elenchus, pgmq TO elenchus_worker, elenchus_reader;
GRANT EXECUTE ON FUNCTION elenchus.now_ms(), elenchus.wrapped(numeric) TO elenchus_reader;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA elenchus TO elenchus_worker;
GRANT EXECUTE ON FUNCTION pgmq.format_table_name(text, text), pgmq.read(text, integer, integer, jsonb), pgmq.send(text, jsonb),
    pgmq.send(text, jsonb, jsonb, timestamptz), pgmq.set_vt(text, bigint, integer), pgmq.delete(text, bigint),
    pgmq.archive(text, bigint) TO elenchus_worker;
GRANT INSERT ON elenchus.campaign, elenchus.seed, elenchus.strategy, elenchus.member, elenchus.block, elenchus.sample,
    elenchus.finding, elenchus.occurrence, elenchus.uncounted,
    elenchus.finding_file, elenchus.status_change, elenchus.document TO elenchus_worker;
GRANT UPDATE ON elenchus.campaign, elenchus.strategy, elenchus.member, elenchus.block, elenchus.sample, elenchus.finding,
    elenchus.document TO elenchus_worker;
GRANT DELETE ON elenchus.block, elenchus.sample, elenchus.uncounted, elenchus.finding_file TO elenchus_worker;
GRANT INSERT, UPDATE, DELETE ON pgmq.q_elenchus_reduce, pgmq.q_elenchus_bisect, pgmq.q_elenchus_report, pgmq.q_elenchus_regress,
    pgmq.q_elenchus_learn, pgmq.a_elenchus_reduce, pgmq.a_elenchus_bisect, pgmq.a_elenchus_report, pgmq.a_elenchus_regress,
    pgmq.a_elenchus_learn TO elenchus_worker;
