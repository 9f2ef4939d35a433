-- Events that could not be applied at some time, newest first, whether or not they were repaired since. What the platform reports and
-- what a destination did not get have a subject, and are not in it.
CREATE INDEX issue_events_failed_idx ON issue_events (workspace_id, received_at DESC, seq DESC) WHERE subject IS NULL;
