-- First deliveries are read from the log by position, a range at a time, and
-- have no row of their own in the inbox any more: docs/decisions/0046. The
-- inbox keeps re-deliveries, retries, and what is tried alone.

-- How far each workspace's log has been handed out to workers. What lies behind
-- the place waits; what lies before it stands in a range.
CREATE TABLE "log_places" (
    "workspace_id" TEXT NOT NULL,
    "xid" xid8 NOT NULL DEFAULT '0',
    "seq" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "log_places_pkey" PRIMARY KEY ("workspace_id")
) WITH (fillfactor = 50);

-- A stretch of a workspace's log that a worker has claimed, committed before the
-- worker begins: from a position (exclusive) to another (inclusive). The row ends
-- in the transaction that applies its events.
CREATE TABLE "log_ranges" (
    "id" BIGSERIAL NOT NULL,
    "claim" BIGINT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "from_xid" xid8 NOT NULL,
    "from_seq" BIGINT NOT NULL,
    "to_xid" xid8 NOT NULL,
    "to_seq" BIGINT NOT NULL,
    "events" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'begun',
    "begun_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "log_ranges_pkey" PRIMARY KEY ("id")
);
-- Which range an event is in: the first that ends at its position or behind it.
CREATE INDEX "log_ranges_workspace_id_to_xid_to_seq_idx" ON "log_ranges"("workspace_id", "to_xid", "to_seq");
CREATE SEQUENCE "log_claims_seq";
-- The few that have not ended: asked for whenever an event's state is. Stands in the migrations alone, being partial.
CREATE INDEX "log_ranges_open_idx" ON "log_ranges"("workspace_id") WHERE "ended_at" IS NULL;

-- From here on nobody appends until the migration is committed: an append locks
-- the log before it has a position, so all that are visible now lie below all
-- that follow.
LOCK TABLE "events" IN SHARE MODE;

-- A workspace's log in the order of its positions.
CREATE INDEX "events_workspace_id_xid_seq_idx" ON "events"("workspace_id", "xid", "seq");

-- What is there was applied, or waits in the inbox and is applied from there.
INSERT INTO "log_places" ("workspace_id", "xid", "seq")
SELECT w."id", coalesce(e."xid", '0'), coalesce(e."seq", 0)
FROM "workspaces" w LEFT JOIN LATERAL (
  SELECT "xid", "seq" FROM "events" WHERE "workspace_id" = w."id" ORDER BY "xid" DESC, "seq" DESC LIMIT 1) e ON true;

CREATE FUNCTION "make_log_place"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO log_places (workspace_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER "make_log_place" AFTER INSERT ON "workspaces" FOR EACH ROW EXECUTE FUNCTION "make_log_place"();

-- The range that a delivery comes from which is tried alone.
ALTER TABLE "inbox" ADD COLUMN "range_id" BIGINT;

-- A receiver of the release before writes first deliveries during an update.
-- They are read from the log already.
CREATE FUNCTION "skip_first_delivery"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
  RETURN NULL;
END $$;
CREATE TRIGGER "skip_first_delivery" BEFORE INSERT ON "inbox" FOR EACH ROW
  WHEN (NEW."redelivery_id" IS NULL AND NEW."range_id" IS NULL) EXECUTE FUNCTION "skip_first_delivery"();

-- Claims the next events of some workspaces for one worker: ranges that were
-- given back, else new ones, of each workspace at most "share" events and in all
-- at most "most" events and "bytes" of bodies, but one event at least. Places are
-- locked in order, so that workers wait for one another instead of deadlocking;
-- each statement in here sees what was committed before it.
CREATE FUNCTION "claim_ranges"("claim_id" BIGINT, "workspaces" TEXT[], "share" INT, "most" INT, "bytes" BIGINT) RETURNS SETOF "log_ranges"
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off AS $$
DECLARE
  place log_places;
  claimed log_ranges;
  last RECORD;
  horizon xid8;
  events_left INT := most;
  bytes_left BIGINT := bytes;
BEGIN
  UPDATE log_ranges r SET claim = claim_id, state = 'begun'
  WHERE r.id = (
    SELECT w.id FROM log_ranges w
    WHERE w.ended_at IS NULL AND w.state = 'waiting' AND w.workspace_id = ANY (workspaces)
    LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING r.* INTO claimed;
  IF FOUND THEN
    RETURN NEXT claimed;
    RETURN;
  END IF;
  FOR place IN SELECT * FROM log_places p WHERE p.workspace_id = ANY (workspaces) ORDER BY p.workspace_id FOR UPDATE LOOP
    EXIT WHEN events_left <= 0 OR bytes_left <= 0;
    horizon := log_horizon();
    SELECT m.xid, m.seq, m.n, m.upto INTO last FROM (
      SELECT n.xid, n.seq, row_number() OVER inorder AS n, sum(n.size) OVER inorder AS upto FROM (
        SELECT e.xid, e.seq, octet_length(e.body)::bigint AS size FROM events e
        WHERE e.workspace_id = place.workspace_id AND (e.xid, e.seq) > (place.xid, place.seq) AND e.xid < horizon
        ORDER BY e.xid, e.seq LIMIT least(share, events_left)) n
      WINDOW inorder AS (ORDER BY n.xid, n.seq)) m
    WHERE m.upto <= bytes_left OR (m.n = 1 AND events_left = most)
    ORDER BY m.n DESC LIMIT 1;
    CONTINUE WHEN NOT FOUND;
    INSERT INTO log_ranges (claim, workspace_id, from_xid, from_seq, to_xid, to_seq, events)
    VALUES (claim_id, place.workspace_id, place.xid, place.seq, last.xid, last.seq, last.n) RETURNING * INTO claimed;
    UPDATE log_places p SET xid = last.xid, seq = last.seq WHERE p.workspace_id = place.workspace_id;
    events_left := events_left - last.n;
    bytes_left := bytes_left - last.upto;
    RETURN NEXT claimed;
  END LOOP;
END $$;

-- A workspace's events that no range has ended of: behind its place, and in open
-- ranges; at most so many, in the order of their positions. What the inbox holds
-- is not among them.
CREATE FUNCTION "waiting_in_log"("workspace" TEXT, "most" BIGINT DEFAULT 9223372036854775807)
RETURNS TABLE ("received_at" TIMESTAMPTZ(3), "seq" BIGINT, "xid" xid8)
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
DECLARE
  stretch RECORD;
  left_over BIGINT := most;
  n BIGINT;
BEGIN
  FOR stretch IN
    SELECT r.from_xid, r.from_seq, r.to_xid, r.to_seq FROM log_ranges r WHERE r.workspace_id = workspace AND r.ended_at IS NULL
    UNION ALL
    SELECT coalesce(p.xid, '0'), coalesce(p.seq, 0), '18446744073709551615'::xid8, 9223372036854775807
    FROM (SELECT 1) one LEFT JOIN log_places p ON p.workspace_id = workspace
  LOOP
    EXIT WHEN left_over <= 0;
    RETURN QUERY SELECT e.received_at, e.seq, e.xid FROM events e
      WHERE e.workspace_id = workspace AND (e.xid, e.seq) > (stretch.from_xid, stretch.from_seq)
        AND (e.xid, e.seq) <= (stretch.to_xid, stretch.to_seq)
      ORDER BY e.xid, e.seq LIMIT left_over;
    GET DIAGNOSTICS n = ROW_COUNT;
    left_over := left_over - n;
  END LOOP;
END $$;
