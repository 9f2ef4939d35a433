-- One name for one thing: missing events and the cadence of a source. Code of
-- the release before runs beside this one during an update and knows the old
-- names: views keep them for a while. PostgreSQL writes through such views.
ALTER TABLE "findings" RENAME TO "missing_events";
ALTER TABLE "missing_events" RENAME CONSTRAINT "findings_key" TO "missing_events_key";
ALTER INDEX "findings_id_key" RENAME TO "missing_events_id_key";
ALTER INDEX "findings_workspace_id_state_since_id_idx" RENAME TO "missing_events_workspace_id_state_since_id_idx";
ALTER INDEX "findings_state_due_at_idx" RENAME TO "missing_events_state_due_at_idx";
CREATE VIEW "findings" AS SELECT * FROM "missing_events";

ALTER TABLE "finding_watch" RENAME TO "missing_event_watch";
ALTER TABLE "missing_event_watch" RENAME CONSTRAINT "finding_watch_pkey" TO "missing_event_watch_pkey";
CREATE VIEW "finding_watch" AS SELECT * FROM "missing_event_watch";

ALTER TABLE "source_paces" RENAME TO "source_cadences";
ALTER TABLE "source_cadences" RENAME CONSTRAINT "source_paces_pkey" TO "source_cadences_pkey";
ALTER INDEX "source_paces_workspace_id_idx" RENAME TO "source_cadences_workspace_id_idx";
CREATE VIEW "source_paces" AS SELECT * FROM "source_cadences";
