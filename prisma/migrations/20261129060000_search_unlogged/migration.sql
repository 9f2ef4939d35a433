-- The search is a fold of the log: its months are not written to the write-ahead log, which was a third of what an event wrote there.
-- A crash or a failover empties them, and with them the marker: the worker files again what they held, newest first.
CREATE UNLOGGED TABLE "event_search_marker" (
    "mark" UUID NOT NULL,

    CONSTRAINT "event_search_marker_pkey" PRIMARY KEY ("mark")
);

-- The mark that the marker has while nothing was lost, and what is being filed again: all before a place, down to a time.
CREATE TABLE "event_search_refiling" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "mark" UUID NOT NULL,
    "before_at" TIMESTAMPTZ(3),
    "before_seq" BIGINT NOT NULL DEFAULT 0,
    "down_to" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity',
    "begun_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "event_search_refiling_pkey" PRIMARY KEY ("id")
);
WITH made AS (INSERT INTO "event_search_refiling" ("mark") VALUES (gen_random_uuid()) RETURNING "mark")
INSERT INTO "event_search_marker" ("mark") SELECT "mark" FROM made;

-- Where filing again has begun to read, as "begun" is for what is new.
INSERT INTO "event_search_progress" ("id", "xid", "seq") VALUES ('refiling', '0', 0) ON CONFLICT DO NOTHING;

-- As before for its callers; the search's months are made without a log, and those that were made ahead with one lose it while they
-- are empty. One that holds rows keeps its log: to take it away would write them all anew, and nobody could search meanwhile.
CREATE OR REPLACE FUNCTION "attach_month"("parent" TEXT, "month" DATE) RETURNS TEXT
LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
DECLARE
  first CONSTANT DATE := date_trunc('month', "month")::DATE;
  name CONSTANT TEXT := parent || '_' || to_char(first, 'YYYY_MM');
  kind CONSTANT TEXT := CASE WHEN parent = 'event_search' THEN 'UNLOGGED' ELSE '' END;
  filled BOOLEAN;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ensure_event_partitions'));
  IF to_regclass(name) IS NOT NULL THEN
    IF parent = 'event_search' AND (SELECT c.relpersistence = 'p' FROM pg_class c WHERE c.oid = to_regclass(name)) THEN
      EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', name) INTO filled;
      IF NOT filled THEN
        BEGIN
          EXECUTE format('ALTER TABLE %I SET UNLOGGED', name);
        EXCEPTION WHEN lock_not_available THEN
          NULL; -- somebody reads it: the next call tries again
        END;
      END IF;
    END IF;
    RETURN 'exists';
  END IF;
  EXECUTE format('CREATE %s TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMPRESSION)', kind, name, parent);
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
