import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { fileEvents } from "#lib/events/search/index-store";
import { termsOf } from "#lib/events/search/terms";
import { passOverWaiting } from "./waiting.ts";

/** One document's life, over and over. One in 10,000 scenarios ends in `automation.error`, one in 100 in `document.error`. */
const FILL = `
WITH numbered AS (
  SELECT n, n / 5 AS scenario, n % 5 AS scene, $3::timestamptz - ($4 - n) * ($5 * interval '1 second' / $4) AS at
  FROM generate_series($6::bigint, $7::bigint - 1) AS n
), told AS (
  SELECT n, scenario, at, 'evt_' || $8 || '_' || n AS event_id, 'doc_' || $8 || '_' || scenario AS doc, 'task_' || $8 || '_' || scenario AS task,
    CASE WHEN scene = 4 AND scenario % 10000 = 7 THEN 'automation.error'
         WHEN scene = 1 AND scenario % 100 = 3 THEN 'document.error'
         ELSE (ARRAY['document.uploaded','document.processed','task.created','pipeline.stage_changed','task.completed'])[scene + 1] END AS type
  FROM numbered
), sent AS (
  SELECT told.*, nextval('events_seq') AS seq, convert_to(json_build_object('id', event_id, 'type', type, 'created', floor(extract(epoch FROM at))::bigint, 'data',
    json_strip_nulls(json_build_object(
      'documentId', doc, 'organizationId', 'org_' || scenario % 7, 'fileName', 'Invoice ' || scenario || '.pdf',
      'status', CASE type WHEN 'document.processed' THEN 'completed' WHEN 'document.error' THEN 'failed' END,
      'reason', CASE type WHEN 'document.error' THEN 'The scan is too dark to read' END,
      'automationId', CASE type WHEN 'automation.error' THEN 'aut_' || scenario % 9 END, 'runId', CASE type WHEN 'automation.error' THEN 'run_' || scenario END,
      'taskId', CASE WHEN type LIKE 'task.%' OR type LIKE 'pipeline.%' THEN task END,
      'pipelineId', CASE WHEN type LIKE 'task.%' OR type LIKE 'pipeline.%' THEN 'pip_' || scenario % 5 END,
      'fromStage', CASE type WHEN 'pipeline.stage_changed' THEN 'Inbox' END,
      'toStage', CASE type WHEN 'pipeline.stage_changed' THEN 'Review' END,
      'metadata', json_build_object('supplier', 'Supplier ' || scenario % 997, 'total', scenario % 100000, 'note', md5(n::text) || md5((n * 7)::text)))))::text, 'UTF8') AS body
  FROM told
), keyed AS (
  INSERT INTO event_keys (source_id, event_id, workspace_id, received_at, seq, body_sha256)
  SELECT $2, event_id, $1, at, seq, sha256(body) FROM sent
), filed AS (
  INSERT INTO event_refs (workspace_id, kind, ref, received_at, seq)
  SELECT $1, kind, ref, at, seq FROM sent,
    LATERAL (VALUES ('document', doc), ('task', CASE WHEN type LIKE 'task.%' OR type LIKE 'pipeline.%' THEN task END)) AS refs (kind, ref)
  WHERE ref IS NOT NULL AND NOT $9 ORDER BY kind, ref
)
INSERT INTO events (received_at, seq, workspace_id, source_id, event_id, type, created, recognised, signature_form, secret_id, body, headers)
SELECT at, seq, $1, $2, event_id, type, floor(extract(epoch FROM at))::bigint, true, 'raw', 'sec', body,
  '{"content-type":"application/json","user-agent":"platform/1.0"}' FROM sent ORDER BY seq`;

const STEP = 50_000;

type LogOptions = {
  workspaceId: WorkspaceId;
  sourceId: SourceId;
  events: number;
  /** They wait for the worker to apply them; else they are filed under their resources here, and no view is made. */
  waiting?: boolean;
  /** The last event's time; the rest lie evenly over the `days` before it. */
  until?: Date;
  days?: number;
  /** Tells several fillings of one log apart. */
  run?: string;
  progress?: (done: number) => void;
};

/**
 * Fills a log with as many events as wished, straight in the database: about
 * 400 bytes each, five a document, the same for the same wish. Event `n` is
 * `evt_<run>_<n>`; its document is `doc_<run>_<n/5>`, its task `task_<run>_<n/5>`.
 */
export async function fillLog({
  workspaceId,
  sourceId,
  events,
  waiting = false,
  until = new Date(),
  days = 28,
  run = "big",
  progress,
}: LogOptions) {
  const from = new Date(until.getTime() - days * 86_400_000);
  const months = (until.getUTCFullYear() - from.getUTCFullYear()) * 12 + until.getUTCMonth() - from.getUTCMonth() + 1;
  await pool().query("SELECT ensure_event_partitions($1::date, $2)", [from.toISOString().slice(0, 10), months]);
  for (let first = 0; first < events; first += STEP) {
    const next = Math.min(events, first + STEP);
    await pool().query(FILL, [workspaceId, sourceId, until, events, days * 86_400, first, next, run, waiting]);
    progress?.(next);
  }
  if (!waiting) await passOverWaiting(workspaceId);
  await pool().query("ANALYZE events, event_keys, event_refs");
}

/**
 * Files a whole log for the search, as the worker does event by event; the index is made anew afterwards, which takes a tenth of the time.
 *
 * @param unhurried runs statements, one after the other, without a limit on their time
 */
export async function fileLog(workspaceId: WorkspaceId, unhurried: (...statements: string[]) => Promise<void>): Promise<void> {
  const [index] = (await pool().query<{ name: string; made: string }>(SEARCH_INDEX)).rows;
  if (!index) throw new Error("the search has no index");
  await pool().query(`DROP INDEX ${index.name}`);
  let after = { at: "-infinity", seq: 0 };
  for (;;) {
    const { rows } = await pool().query<{ eventId: string; type: string; at: string; receivedAt: Date; seq: number; body: Buffer }>(
      `SELECT event_id AS "eventId", type, received_at::text AS at, received_at AS "receivedAt", seq, body FROM events
       WHERE workspace_id = $1 AND (received_at, seq) > ($2::timestamptz, $3::bigint) ORDER BY received_at, seq LIMIT 5000`,
      [workspaceId, after.at, after.seq],
    );
    const last = rows.at(-1);
    if (!last) break;
    after = last;
    const filed = rows.map(({ eventId, type, receivedAt, seq, body }) => ({
      workspaceId,
      receivedAt,
      seq,
      terms: termsOf({ workspaceId, eventId, type, data: JSON.parse(body.toString()).data }),
    }));
    await inTransaction(pool(), (client) => fileEvents(client, filed));
  }
  // Of the parent alone, as it is written down, it would stay empty.
  await unhurried("SET maintenance_work_mem = '2GB'", index.made.replace(" ON ONLY ", " ON "));
}

const SEARCH_INDEX = `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS made FROM pg_index
  JOIN pg_class c ON c.oid = indexrelid JOIN pg_am a ON a.oid = c.relam WHERE indrelid = 'event_search'::regclass AND a.amname = 'gin'`;

/** Lets the oldest events count as failed: as many in a log of any size, and none of the newest. */
export async function failOldest(workspaceId: WorkspaceId, events: number): Promise<void> {
  await pool().query(
    `INSERT INTO dead_letters (received_at, seq, workspace_id, type, event_id, failure_code, failure_text, attempts)
     SELECT received_at, seq, workspace_id, type, event_id, 'apply_failed', 'It could not be applied.', 1 FROM events
     WHERE workspace_id = $1 ORDER BY received_at, seq LIMIT $2`,
    [workspaceId, events],
  );
}
