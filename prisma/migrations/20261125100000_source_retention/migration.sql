-- A source may keep its events for less time than its workspace.
ALTER TABLE "sources" ADD COLUMN "retention_days" INTEGER, ADD COLUMN "gone_before" TIMESTAMPTZ(3);

-- As before, by the shorter of the two.
CREATE OR REPLACE FUNCTION "keep_events"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.received_at < now() - make_interval(days => coalesce(
    (SELECT least(w.retention_days, s.retention_days) FROM workspaces w LEFT JOIN sources s ON s.id = OLD.source_id
      WHERE w.id = OLD.workspace_id), 0)) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the event log is append-only: % refused', TG_OP USING ERRCODE = 'object_not_in_prerequisite_state';
END $$;

CREATE OR REPLACE FUNCTION "keep_verified_quarantine"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.received_at < now() - make_interval(days => coalesce(
    (SELECT least(w.retention_days, s.retention_days) FROM workspaces w LEFT JOIN sources s ON s.id = OLD.source_id
      WHERE w.id = OLD.workspace_id), 0)) THEN
    RETURN OLD;
  END IF;
  RAISE WARNING 'the quarantined request % verified and is kept by its workspace''s retention', OLD.id;
  RETURN NULL;
END $$;
