-- Makes the partition of one month, of the log or of its search table:
-- 'made', 'exists', 'busy' (somebody reads the whole table: call again), or
-- 'blocked' (the default partition holds rows of that month: they stay there).
--
-- The table is made apart and attached. CREATE TABLE ... PARTITION OF and DROP
-- lock the parent against everybody, and whoever waits for that lock lets all
-- appends queue up behind it: beside a dump, for as long as the dump takes.
-- ATTACH lets appends go on. It locks the default partition alone, which
-- appends don't use, and readers wait for it no longer than lock_timeout.
CREATE FUNCTION "attach_month"("parent" TEXT, "month" DATE) RETURNS TEXT
LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
DECLARE
  first CONSTANT DATE := date_trunc('month', "month")::DATE;
  name CONSTANT TEXT := parent || '_' || to_char(first, 'YYYY_MM');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ensure_event_partitions'));
  IF to_regclass(name) IS NOT NULL THEN
    RETURN 'exists';
  END IF;
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMPRESSION)', name, parent);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, name,
    to_char(first, 'YYYY-MM-DD') || ' 00:00:00+00',
    to_char(first + INTERVAL '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
  RETURN 'made';
EXCEPTION
  WHEN lock_not_available THEN
    RETURN 'busy';
  WHEN check_violation THEN
    RAISE WARNING 'the default partition of % holds rows of %: they stay there', parent, to_char(first, 'YYYY-MM');
    RETURN 'blocked';
END $$;

-- As before for their callers. Several months at once, until one is busy.
CREATE OR REPLACE FUNCTION "ensure_event_partitions"("from_day" DATE, "months" INT) RETURNS INT
LANGUAGE plpgsql AS $$
DECLARE
  outcome TEXT;
  made INT := 0;
BEGIN
  FOR i IN 0 .. months - 1 LOOP
    outcome := attach_month('events', (date_trunc('month', from_day) + make_interval(months => i))::DATE);
    EXIT WHEN outcome = 'busy';
    IF outcome = 'made' THEN made := made + 1; END IF;
  END LOOP;
  RETURN made;
END $$;

CREATE OR REPLACE FUNCTION "ensure_search_partitions"("from_day" DATE, "months" INT) RETURNS INT
LANGUAGE plpgsql AS $$
DECLARE
  outcome TEXT;
  made INT := 0;
BEGIN
  FOR i IN 0 .. months - 1 LOOP
    outcome := attach_month('event_search', (date_trunc('month', from_day) + make_interval(months => i))::DATE);
    EXIT WHEN outcome = 'busy';
    IF outcome = 'made' THEN made := made + 1; END IF;
  END LOOP;
  RETURN made;
END $$;
