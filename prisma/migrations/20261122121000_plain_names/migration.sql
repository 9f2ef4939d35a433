-- One name for one thing: a quarantined request is released, the sandbox runs
-- scenarios. Code of the release before runs beside this one during an update and
-- knows the old names.

-- It reads and writes the old columns. They are kept in step with the new ones and
-- dropped by a later release. Adding columns does not rewrite the table.
ALTER TABLE "quarantine" ADD COLUMN "released_at" TIMESTAMPTZ(3), ADD COLUMN "released_by" TEXT;
UPDATE "quarantine" SET "released_at" = "admitted_at", "released_by" = "admitted_by" WHERE "admitted_at" IS NOT NULL;
CREATE FUNCTION "copy_quarantine_release"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  NEW.released_at := COALESCE(NEW.released_at, NEW.admitted_at);
  NEW.released_by := COALESCE(NEW.released_by, NEW.admitted_by);
  NEW.admitted_at := NEW.released_at;
  NEW.admitted_by := NEW.released_by;
  RETURN NEW;
END $$;
CREATE TRIGGER "copy_quarantine_release" BEFORE UPDATE ON "quarantine" FOR EACH ROW EXECUTE FUNCTION "copy_quarantine_release"();

-- The release before reads this table through the view finding_watch, whose column
-- is still called heard_at: PostgreSQL keeps the names of a view's columns.
ALTER TABLE "missing_event_watch" RENAME COLUMN "heard_at" TO "arrivals_until";

ALTER TABLE "sandbox_deliveries" ADD COLUMN "scenario" TEXT;
UPDATE "sandbox_deliveries" SET
  "scenario" = CASE "story"
    WHEN 'busy_days' THEN 'generated_traffic'
    WHEN 'integration_life' THEN 'integration_lifecycle'
    WHEN 'upload_never_came' THEN 'upload_never_received'
    WHEN 'upload_came_late' THEN 'upload_received_late'
    WHEN 'source_falls_silent' THEN 'source_stops_sending'
    WHEN 'source_speaks_again' THEN 'source_resumes_sending'
    WHEN 'connected_again' THEN 'reconnected_late'
    ELSE "story" END,
  "state" = CASE "state" WHEN 'given_up' THEN 'failed' ELSE "state" END
WHERE "story" IS NOT NULL OR "state" = 'given_up';
CREATE FUNCTION "copy_sandbox_scenario"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  NEW.scenario := COALESCE(NEW.scenario, NEW.story);
  NEW.story := NEW.scenario;
  IF NEW.state = 'given_up' THEN NEW.state := 'failed'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "copy_sandbox_scenario" BEFORE INSERT OR UPDATE ON "sandbox_deliveries" FOR EACH ROW EXECUTE FUNCTION "copy_sandbox_scenario"();
