-- An attempt whose commit was not answered is recorded again: by its ID it counts once.
ALTER TABLE forward_attempts ADD COLUMN attempt_id UUID;
-- Partial: an index of all that were made before would keep senders waiting while it is built.
CREATE UNIQUE INDEX forward_attempts_attempt_id_key ON forward_attempts (attempt_id) WHERE attempt_id IS NOT NULL;

-- How often a delivery was started over: what was in flight before says nothing of what comes after.
ALTER TABLE forward_deliveries ADD COLUMN starts INTEGER NOT NULL DEFAULT 0;
