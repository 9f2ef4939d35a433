-- How long a workspace keeps its events, in days.
ALTER TABLE "workspaces" ADD COLUMN "retention_days" INTEGER NOT NULL DEFAULT 90;

-- The log is append-only, and the database itself says so: no row changes, and
-- none goes before its workspace's policy lets it go. Dropping a partition is
-- not a DELETE and needs no leave.
CREATE FUNCTION "keep_events"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.received_at < now() - make_interval(days =>
    coalesce((SELECT retention_days FROM workspaces WHERE id = OLD.workspace_id), 0)) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the event log is append-only: % refused', TG_OP USING ERRCODE = 'object_not_in_prerequisite_state';
END $$;
CREATE TRIGGER "events_are_kept" BEFORE UPDATE OR DELETE ON "events" FOR EACH ROW EXECUTE FUNCTION "keep_events"();

-- As before, with one difference: a month whose rows went to the default
-- partition, because nobody made partitions for long, gets none any more. It
-- can't be made over them, and a start must not fail for the want of it.
CREATE OR REPLACE FUNCTION "ensure_event_partitions"("from_day" DATE, "months" INT) RETURNS INT
LANGUAGE plpgsql AS $$
DECLARE
  first DATE := date_trunc('month', from_day)::DATE;
  lower_bound DATE;
  made INT := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ensure_event_partitions'));
  FOR i IN 0 .. months - 1 LOOP
    lower_bound := (first + make_interval(months => i))::DATE;
    IF to_regclass(format('events_%s', to_char(lower_bound, 'YYYY_MM'))) IS NULL THEN
      BEGIN
        EXECUTE format(
          'CREATE TABLE %I PARTITION OF events FOR VALUES FROM (%L) TO (%L)',
          'events_' || to_char(lower_bound, 'YYYY_MM'),
          to_char(lower_bound, 'YYYY-MM-DD') || ' 00:00:00+00',
          to_char(lower_bound + INTERVAL '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
        made := made + 1;
      EXCEPTION WHEN check_violation THEN
        RAISE WARNING 'the default partition holds events of %: they stay there', to_char(lower_bound, 'YYYY-MM');
      END;
    END IF;
  END LOOP;
  RETURN made;
END $$;
