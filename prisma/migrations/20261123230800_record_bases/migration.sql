-- What the events that have left the log made of each record (docs/decisions/0086).
CREATE TABLE "view_bases" (
    "workspace_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "registers" JSONB NOT NULL,
    "parent" TEXT,
    "first_at" BIGINT,
    "known_from" BIGINT NOT NULL,
    "changed_xid" xid8 NOT NULL DEFAULT log_position(),

    CONSTRAINT "view_bases_pkey" PRIMARY KEY ("id", "kind", "workspace_id")
);

CREATE INDEX "view_bases_workspace_id_changed_xid_idx" ON "view_bases"("workspace_id", "changed_xid");
CREATE INDEX "view_bases_workspace_id_kind_parent_known_from_idx" ON "view_bases"("workspace_id", "kind", "parent", "known_from");

ALTER TABLE "view_folds" ADD COLUMN "bases_since" TIMESTAMPTZ(3);

-- A worker of the release before that still runs deletes events without keeping what they said: its rounds fail until it ends.
CREATE FUNCTION "keep_bases"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('signalbox.bases', true) IS DISTINCT FROM 'kept' THEN
    RAISE EXCEPTION 'an event leaves the log only when what it said of records is kept'
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "event_keys_leave_bases" BEFORE DELETE ON "event_keys" FOR EACH STATEMENT EXECUTE FUNCTION "keep_bases"();
