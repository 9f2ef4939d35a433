-- What the payload search looks into: beside the log, filled by the worker from
-- the log's commit-safe cursor. One row an event, partitioned like the log, so
-- that a month leaves both at once. The log itself has no text index.
CREATE TABLE "event_search" (
    "workspace_id" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "seq" BIGINT NOT NULL,
    "terms" TSVECTOR NOT NULL,

    CONSTRAINT "event_search_pkey" PRIMARY KEY ("workspace_id", "received_at", "seq")
) PARTITION BY RANGE ("received_at");

CREATE INDEX "event_search_terms_idx" ON "event_search" USING GIN ("terms");

CREATE TABLE "event_search_default" PARTITION OF "event_search" DEFAULT;

-- How far the log has been read for the search.
CREATE TABLE "event_search_progress" (
    "id" TEXT NOT NULL,
    "xid" xid8 NOT NULL,
    "seq" BIGINT NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_search_progress_pkey" PRIMARY KEY ("id")
);
INSERT INTO "event_search_progress" ("id", "xid", "seq") VALUES ('events', '0', 0);

-- Partitions of the search table are made where the log's are.
CREATE FUNCTION "ensure_search_partitions"("from_day" DATE, "months" INT) RETURNS INT
LANGUAGE plpgsql AS $$
DECLARE
  lower_bound DATE;
  made INT := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ensure_event_partitions'));
  FOR i IN 0 .. months - 1 LOOP
    lower_bound := (date_trunc('month', from_day) + make_interval(months => i))::DATE;
    IF to_regclass(format('event_search_%s', to_char(lower_bound, 'YYYY_MM'))) IS NULL THEN
      BEGIN
        EXECUTE format(
          'CREATE TABLE %I PARTITION OF event_search FOR VALUES FROM (%L) TO (%L)',
          'event_search_' || to_char(lower_bound, 'YYYY_MM'),
          to_char(lower_bound, 'YYYY-MM-DD') || ' 00:00:00+00',
          to_char(lower_bound + INTERVAL '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
        made := made + 1;
      EXCEPTION WHEN check_violation THEN
        RAISE WARNING 'the default partition of the search holds events of %: they stay there', to_char(lower_bound, 'YYYY-MM');
      END;
    END IF;
  END LOOP;
  RETURN made;
END $$;

-- The set of a re-delivery, frozen when it was asked for: what is still to do
-- after an abort is this set without what was tried.
CREATE TABLE "redelivery_items" (
    "redelivery_id" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "seq" BIGINT NOT NULL,
    "workspace_id" TEXT NOT NULL,

    CONSTRAINT "redelivery_items_pkey" PRIMARY KEY ("redelivery_id", "received_at", "seq")
);
CREATE INDEX "redelivery_items_received_at_seq_idx" ON "redelivery_items"("received_at", "seq");

-- Partial indexes: what is rare is found without reading what is not, and the
-- ordinary event writes no entry into any of them.
CREATE INDEX "attempts_redelivery_idx" ON "attempts"("redelivery_id", "received_at", "seq") WHERE "redelivery_id" IS NOT NULL;
CREATE INDEX "events_unrecognised_idx" ON "events"("workspace_id", "received_at" DESC, "seq" DESC) WHERE NOT "recognised";
CREATE INDEX "event_keys_repeated_idx" ON "event_keys"("workspace_id", "received_at" DESC, "seq" DESC) WHERE "repeats" > 0;
CREATE INDEX "dead_letters_workspace_id_received_at_seq_idx" ON "dead_letters"("workspace_id", "received_at" DESC, "seq" DESC);
