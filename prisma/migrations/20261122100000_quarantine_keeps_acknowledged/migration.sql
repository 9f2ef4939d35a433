-- The secret that a quarantined request verified with: its event names it when the request is released.
-- Null for what never verified, and for what came before this column.
ALTER TABLE "quarantine" ADD COLUMN "secret_id" TEXT;

-- What never verified is bounded by number and age, source by source.
CREATE INDEX "quarantine_unverified_idx" ON "quarantine"("source_id", "received_at" DESC, "id" DESC) WHERE NOT "verified";

-- What verified was answered 202: the sender does not send it again, so it stays as long as the workspace keeps
-- its events. A DELETE that comes too early leaves the row and warns, instead of failing: code of an earlier
-- version, running beside this one, deletes verified and unverified rows in one statement.
CREATE FUNCTION "keep_verified_quarantine"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.received_at < now() - make_interval(days =>
    coalesce((SELECT retention_days FROM workspaces WHERE id = OLD.workspace_id), 0)) THEN
    RETURN OLD;
  END IF;
  RAISE WARNING 'the quarantined request % verified and is kept by its workspace''s retention', OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER "verified_quarantine_is_kept" BEFORE DELETE ON "quarantine" FOR EACH ROW WHEN (OLD."verified")
  EXECUTE FUNCTION "keep_verified_quarantine"();
