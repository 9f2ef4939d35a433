-- The order of a subject is that of the log's sequence: receivers' clocks differ.
CREATE INDEX forward_deliveries_order_idx ON forward_deliveries (destination_id, subject, seq) WHERE state = 'pending';
DROP INDEX forward_deliveries_subject_idx;

-- An event that is tried again is handed on to destinations before that, so that later ones don't overtake it.
ALTER TABLE inbox ADD COLUMN handed_on BOOLEAN NOT NULL DEFAULT false;
