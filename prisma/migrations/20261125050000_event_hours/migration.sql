-- Number of events by workspace, source, type and hour of receipt (docs/decisions/0106). '' stands for all sources, and for all types.
CREATE TABLE "event_hours" (
    "workspace_id" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "events" BIGINT NOT NULL DEFAULT 0,
    "unrecognised" BIGINT NOT NULL DEFAULT 0,
    "failed" BIGINT NOT NULL DEFAULT 0,
    "failed_unrecognised" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "event_hours_pkey" PRIMARY KEY ("workspace_id", "source_id", "type", "hour")
) WITH (fillfactor = 70);

-- How far each workspace's log has been counted, in the order of its positions.
CREATE TABLE "event_hour_places" (
    "workspace_id" TEXT NOT NULL,
    "xid" xid8 NOT NULL DEFAULT '0'::xid8,
    "seq" BIGINT NOT NULL DEFAULT 0,
    "counted" BIGINT NOT NULL DEFAULT 0,
    "caught_up" BOOLEAN NOT NULL DEFAULT false,
    "counted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "event_hour_places_pkey" PRIMARY KEY ("workspace_id")
);

-- Events that became dead letters (1) or are none any more (-1) since failures were last added up. Only appended, so that workers don't
-- wait for one another.
CREATE TABLE "event_hour_failures" (
    "id" BIGSERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "recognised" BOOLEAN NOT NULL,
    "change" INTEGER NOT NULL,

    CONSTRAINT "event_hour_failures_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "event_hour_failures_workspace_id_idx" ON "event_hour_failures"("workspace_id");

-- A new workspace has nothing to catch up with. As before, with its place of the counters.
CREATE OR REPLACE FUNCTION "make_log_place"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO log_places (workspace_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  INSERT INTO event_hour_places (workspace_id, caught_up) VALUES (NEW.id, true) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
INSERT INTO "event_hour_places" ("workspace_id") SELECT "id" FROM "workspaces" ON CONFLICT DO NOTHING;

-- What has not been counted yet, in the snapshot of the calling statement.
CREATE FUNCTION "uncounted_events"("workspace" TEXT)
RETURNS TABLE ("received_at" TIMESTAMPTZ(3), "source_id" TEXT, "type" TEXT, "recognised" BOOLEAN)
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
DECLARE
  place event_hour_places;
BEGIN
  SELECT * INTO place FROM event_hour_places p WHERE p.workspace_id = workspace;
  RETURN QUERY SELECT e.received_at, e.source_id, e.type, e.recognised FROM events e
    WHERE e.workspace_id = workspace AND (e.xid, e.seq) > (coalesce(place.xid, '0'), coalesce(place.seq, 0))
    ORDER BY e.xid, e.seq;
END $$;

-- Triggers, so that a worker of the release before keeps the counters too.
CREATE FUNCTION "note_dead_letters"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_hour_failures (workspace_id, source_id, type, hour, recognised, change)
  SELECT e.workspace_id, e.source_id, e.type, date_trunc('hour', e.received_at, 'UTC'), e.recognised,
    (CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END) * count(*)
  FROM changed d JOIN events e ON e.received_at = d.received_at AND e.seq = d.seq
  GROUP BY 1, 2, 3, 4, 5;
  RETURN NULL;
END $$;

LOCK TABLE "dead_letters" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "event_hour_failures" ("workspace_id", "source_id", "type", "hour", "recognised", "change")
SELECT e."workspace_id", e."source_id", e."type", date_trunc('hour', e."received_at", 'UTC'), e."recognised", count(*)
FROM "dead_letters" d JOIN "events" e ON e."received_at" = d."received_at" AND e."seq" = d."seq" GROUP BY 1, 2, 3, 4, 5;
CREATE TRIGGER "note_new_dead_letters" AFTER INSERT ON "dead_letters"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_dead_letters"();
CREATE TRIGGER "note_gone_dead_letters" AFTER DELETE ON "dead_letters"
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_dead_letters"();

-- Events that leave the log leave the counters, if they were counted: who counts holds the workspace's place, and so does this.
CREATE FUNCTION "uncount_events"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
DECLARE
  place event_hour_places;
BEGIN
  INSERT INTO event_hour_places (workspace_id) SELECT DISTINCT g.workspace_id FROM gone g ORDER BY 1 ON CONFLICT DO NOTHING;
  FOR place IN SELECT * FROM event_hour_places p WHERE p.workspace_id IN (SELECT g.workspace_id FROM gone g)
    ORDER BY p.workspace_id FOR UPDATE LOOP
    UPDATE event_hours h SET events = h.events - c.events, unrecognised = h.unrecognised - c.unrecognised
    FROM (
      SELECT coalesce(g.source_id, '') AS source_id, coalesce(g.type, '') AS type, date_trunc('hour', g.received_at, 'UTC') AS hour,
        count(*) AS events, count(*) FILTER (WHERE NOT g.recognised) AS unrecognised
      FROM gone g WHERE g.workspace_id = place.workspace_id AND (g.xid, g.seq) <= (place.xid, place.seq)
      GROUP BY 3, CUBE (g.source_id, g.type)) c
    WHERE h.workspace_id = place.workspace_id AND h.source_id = c.source_id AND h.type = c.type AND h.hour = c.hour;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER "uncount_events" AFTER DELETE ON "events"
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION "uncount_events"();
