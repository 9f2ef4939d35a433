-- Positions in the log. A position is the appending transaction's id plus an
-- offset. Transaction ids mean nothing in another cluster: after a restore, a
-- logical replication or a move to another server its counter starts low. The
-- offset is raised then (lib/db/log-clock.ts), so that positions only grow.
CREATE TABLE "log_clock" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "offset" BIGINT NOT NULL DEFAULT 0,
    "raised_at" TIMESTAMPTZ(3),

    CONSTRAINT "log_clock_pkey" PRIMARY KEY ("id")
);
INSERT INTO "log_clock" ("id") VALUES (1);

-- The position of what the transaction in hand appends. Volatile: it reads the
-- offset when it is called, not when the transaction began. PL/pgSQL keeps its
-- plan for the session; a function in SQL would be planned with each append.
CREATE FUNCTION "log_position"() RETURNS xid8
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  clock BIGINT;
BEGIN
  SELECT c."offset" INTO clock FROM log_clock c WHERE c.id = 1;
  RETURN (pg_current_xact_id()::text::bigint + coalesce(clock, 0))::text::xid8;
END $$;

-- The log's horizon: whatever has a lower position is visible to the calling
-- statement, and nothing can be appended below it any more. See
-- docs/decisions/0024.
--
-- It is the oldest transaction of the statement's own snapshot that may have
-- appended. Every transaction that appends locks `events` (ROW EXCLUSIVE)
-- before it has an id. So one that has an id, holds no such lock, and was still
-- in progress after the locks were read, has appended nothing and is passed
-- over. Whoever is in doubt counts: that makes the horizon lower, never higher.
CREATE FUNCTION "log_horizon"() RETURNS xid8
LANGUAGE plpgsql STABLE AS $$
DECLARE
  seen CONSTANT pg_snapshot := pg_current_snapshot();
  clock BIGINT;
  bystanders xid[];
  oldest xid8;
BEGIN
  SELECT c."offset" INTO clock FROM log_clock c WHERE c.id = 1;
  IF pg_snapshot_xmin(seen) < pg_snapshot_xmax(seen) THEN
    WITH held AS MATERIALIZED (
      SELECT l.locktype, l.transactionid, l.virtualtransaction FROM pg_locks l
      WHERE l.granted AND (
        (l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock')
        OR (l.locktype = 'relation' AND l.mode = 'RowExclusiveLock' AND l.relation = 'events'::regclass
          AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()))))
    SELECT array_agg(t.transactionid) INTO bystanders FROM held t
    WHERE t.locktype = 'transactionid'
      AND NOT EXISTS (SELECT 1 FROM held w WHERE w.locktype = 'relation' AND w.virtualtransaction = t.virtualtransaction);
    -- A statement of its own, so that it runs after the locks were read: a transaction that ended in between has
    -- released its lock on the log, and its events may be invisible to this snapshot.
    SELECT x INTO oldest FROM pg_snapshot_xip(seen) AS x
    WHERE (x::xid = ANY (bystanders) AND pg_xact_status(x) = 'in progress') IS NOT TRUE
    ORDER BY x LIMIT 1;
  END IF;
  RETURN (coalesce(oldest, pg_snapshot_xmax(seen))::text::bigint + coalesce(clock, 0))::text::xid8;
END $$;

ALTER TABLE "events" ALTER COLUMN "xid" SET DEFAULT "log_position"();
