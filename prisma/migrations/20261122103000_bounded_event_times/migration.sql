-- Events are ordered by a time that their receipt bounds (docs/decisions/0029). What was folded by a `created` in
-- milliseconds or from the future is given that time, so that the next event counts again. Few rows, if any: a
-- record whose newest time lies after its last change. What such an event had kept from being written comes back
-- with a rebuild.

CREATE FUNCTION pg_temp.event_seconds(created bigint, received timestamptz) RETURNS bigint LANGUAGE sql AS $$
  SELECT CASE WHEN created > 0 AND seconds <= receipt + 300 THEN seconds ELSE receipt END
  FROM (SELECT floor(extract(epoch FROM received))::bigint AS receipt,
    CASE WHEN created >= 100000000000000 THEN created / 1000000 WHEN created >= 100000000000 THEN created / 1000 ELSE created END AS seconds) t
$$;

-- Where the event has left the log, the record's last change bounds its receipt.
UPDATE "views" v SET registers = f.registers, last_created = f.latest, updated_at = now()
FROM (
  SELECT w.workspace_id, w.kind, w.id, greatest(0, max(s.at)) AS latest,
    jsonb_object_agg(r.field, jsonb_set(r.register, '{at}', to_jsonb(s.at))) AS registers
  FROM "views" w
  CROSS JOIN LATERAL jsonb_each(w.registers) AS r(field, register)
  CROSS JOIN LATERAL (SELECT (r.register->>'at')::numeric::bigint AS at) o
  CROSS JOIN LATERAL (SELECT CASE WHEN o.at <= extract(epoch FROM w.updated_at) + 300 THEN o.at ELSE coalesce(
    (SELECT pg_temp.event_seconds(e.created, e.received_at) FROM event_keys k
       JOIN events e ON e.received_at = k.received_at AND e.seq = k.seq
      WHERE k.workspace_id = w.workspace_id AND k.event_id = r.register->>'id' ORDER BY e.received_at LIMIT 1),
    pg_temp.event_seconds(o.at, w.updated_at)) END AS at) s
  WHERE w.last_created > extract(epoch FROM w.updated_at) + 300
  GROUP BY w.workspace_id, w.kind, w.id) f
WHERE v.workspace_id = f.workspace_id AND v.kind = f.kind AND v.id = f.id;

UPDATE "task_moves" m SET at = coalesce(
  (SELECT pg_temp.event_seconds(e.created, e.received_at) FROM event_keys k
     JOIN events e ON e.received_at = k.received_at AND e.seq = k.seq
    WHERE k.workspace_id = m.workspace_id AND k.event_id = m.event_id ORDER BY e.received_at LIMIT 1),
  pg_temp.event_seconds(m.at, now()))
WHERE m.at > extract(epoch FROM now()) + 300 OR m.at <= 0;

UPDATE "issue_events" SET created = pg_temp.event_seconds(created, received_at)
WHERE created > extract(epoch FROM received_at) + 300 OR created <= 0;

DROP FUNCTION pg_temp.event_seconds(bigint, timestamptz);
