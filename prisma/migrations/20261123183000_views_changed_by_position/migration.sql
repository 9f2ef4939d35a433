-- The transaction that changed a view last, as a position of the log's clock. Whoever follows the changes reads by
-- it instead of by time: docs/decisions/0081. Null: changed before this migration, or being made.
ALTER TABLE "views" ADD COLUMN "changed_xid" xid8;
ALTER TABLE "views" ALTER COLUMN "changed_xid" SET DEFAULT "log_position"();

-- For a worker of the release before, which does not say it, and for whatever else changes a view.
CREATE FUNCTION "note_view_change"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_xid := log_position();
  RETURN NEW;
END $$;
CREATE TRIGGER "note_view_change" BEFORE UPDATE ON "views" FOR EACH ROW
  WHEN (NEW."changed_xid" IS NOT DISTINCT FROM OLD."changed_xid") EXECUTE FUNCTION "note_view_change"();

-- Every transaction with a lower position has ended: what it did is visible to the statement after this one. Of the
-- transactions of other databases none can change anything here; whoever is in doubt counts.
CREATE FUNCTION "settled_position"() RETURNS xid8
LANGUAGE plpgsql STABLE AS $$
DECLARE
  seen CONSTANT pg_snapshot := pg_current_snapshot();
  clock BIGINT;
  elsewhere xid[];
  oldest xid8;
BEGIN
  SELECT c."offset" INTO clock FROM log_clock c WHERE c.id = 1;
  IF pg_snapshot_xmin(seen) < pg_snapshot_xmax(seen) THEN
    SELECT array_agg(l.transactionid) INTO elsewhere FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted
      AND a.datid <> (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
    SELECT x INTO oldest FROM pg_snapshot_xip(seen) AS x
    WHERE (x::xid = ANY (elsewhere) AND pg_xact_status(x) = 'in progress') IS NOT TRUE
    ORDER BY x LIMIT 1;
  END IF;
  RETURN (coalesce(oldest, pg_snapshot_xmax(seen))::text::bigint + coalesce(clock, 0))::text::xid8;
END $$;

-- How far the watch for missing events has come, and what it has not confirmed yet.
ALTER TABLE "missing_event_watch" ADD COLUMN "changed_xid" xid8, ADD COLUMN "changed_key" TEXT[], ADD COLUMN "picture" JSONB;

-- Up to where each workspace's log is in the cadences of its sources.
CREATE TABLE "arrival_places" (
    "workspace_id" TEXT NOT NULL,
    "xid" xid8 NOT NULL,
    "seq" BIGINT NOT NULL,

    CONSTRAINT "arrival_places_pkey" PRIMARY KEY ("workspace_id")
);

-- The watch goes on where that of the release before stood: from the oldest transaction that may still change a view.
-- What it had not looked at is changed again, so to say.
UPDATE "missing_event_watch" SET "changed_key" = '{}', "changed_xid" =
  (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + coalesce((SELECT c."offset" FROM "log_clock" c WHERE c."id" = 1), 0))::text::xid8;
UPDATE "views" SET "changed_xid" = "log_position"()
WHERE "updated_at" > (SELECT "updated_at" - interval '5 minutes' FROM "missing_event_watch" WHERE "id" = 1);
INSERT INTO "arrival_places" ("workspace_id", "xid", "seq")
SELECT w."id", e."xid", e."seq" FROM "workspaces" w CROSS JOIN "missing_event_watch" m CROSS JOIN LATERAL (
  SELECT "xid", "seq" FROM "events" WHERE "workspace_id" = w."id" AND "received_at" < m."arrivals_until" - interval '5 minutes'
  ORDER BY "xid" DESC, "seq" DESC LIMIT 1) e;
