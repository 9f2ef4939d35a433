-- Everybody reads the log a workspace at a time, by (workspace_id, xid, seq): the
-- index over all workspaces is not needed any more. The search and the age of
-- the horizon in a release before do without it during an update, more slowly.
DROP INDEX "events_xid_seq_idx";
