-- When each source last received an event, to about ten seconds: to find it in
-- the log of a busy workspace, the whole log had to be read for an idle source.
CREATE TABLE "source_arrivals" (
    "source_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "source_arrivals_pkey" PRIMARY KEY ("source_id")
);
CREATE INDEX "source_arrivals_workspace_id_idx" ON "source_arrivals"("workspace_id");

-- Before the trigger is made: making it holds up receivers until the migration commits.
INSERT INTO "source_arrivals" ("source_id", "workspace_id", "received_at")
SELECT "source_id", min("workspace_id"), max("received_at") FROM "event_keys" GROUP BY "source_id";

-- Once in ten seconds for each source, in the order of the sources: concurrent
-- receivers rarely wait for each other here, and never in a circle. A trigger, so
-- that receivers of the previous version keep it too; on the keys, whose rows are small.
CREATE FUNCTION "note_source_arrivals"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO source_arrivals AS a (source_id, workspace_id, received_at)
  SELECT f.source_id, min(f.workspace_id), max(f.received_at) FROM fresh f GROUP BY f.source_id
  HAVING NOT EXISTS (
    SELECT 1 FROM source_arrivals x WHERE x.source_id = f.source_id AND x.received_at > max(f.received_at) - INTERVAL '10 seconds')
  ORDER BY f.source_id
  ON CONFLICT (source_id) DO UPDATE SET received_at = GREATEST(a.received_at, EXCLUDED.received_at);
  RETURN NULL;
END $$;
CREATE TRIGGER "note_source_arrivals" AFTER INSERT ON "event_keys"
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION "note_source_arrivals"();

-- What came between the two.
INSERT INTO "source_arrivals" AS a ("source_id", "workspace_id", "received_at")
SELECT "source_id", min("workspace_id"), max("received_at") FROM "events" WHERE "received_at" > now() - INTERVAL '10 minutes' GROUP BY "source_id"
ON CONFLICT ("source_id") DO UPDATE SET "received_at" = GREATEST(a."received_at", EXCLUDED."received_at");
