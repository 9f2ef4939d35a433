-- An event's ID is looked up within the workspace's sources, which are few: the
-- primary key, which leads with the source, answers that.
DROP INDEX "event_keys_workspace_id_event_id_idx";

-- Records without a parent, such as documents, write no entry into the board's
-- index. Stands in the migrations alone, being partial.
DROP INDEX "views_workspace_id_kind_parent_stage_state_last_created_idx";
CREATE INDEX "views_board_idx" ON "views"("workspace_id", "kind", "parent", "stage", "state", "last_created" DESC) WHERE "parent" IS NOT NULL;
