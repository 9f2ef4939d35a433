import pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { waitingSql } from "#lib/db/sql";
import { filedTerm } from "#lib/events/search/terms";
import { EVERY_TRY, EVERYTHING_WAITING } from "#tests/support/waiting";
import type { Webhook } from "./driver.ts";

/** Comparison of the log and the views with what was acknowledged. Every number but the first must be 0. */
export type CheckResult = {
  acknowledged: number;
  /** Acknowledged and not in the log: the one thing that must never be. */
  lost: number;
  /** In the log with other bytes than were sent. */
  altered: number;
  /** In the log more than once. */
  storedTwice: number;
  /** Applied more than once without anybody asking for it. */
  appliedTwice: number;
  /** In the log, and its view does not show it. */
  notInView: number;
  /** Of another sender, and shown in a view of the platform's. */
  foreign: number;
  /** In the log, and the search does not find it by its ID and its document's. */
  notFound: number;
  /** Waiting still, or buried. */
  unsettled: number;
};

type LogRow = { workspace_id: WorkspaceId; event_id: string; body: Buffer; terms: string[]; applied: string; waiting: boolean };

const UNFILED = `SELECT 1 FROM events e WHERE NOT EXISTS (
  SELECT 1 FROM event_search f WHERE f.workspace_id = e.workspace_id AND f.received_at = e.received_at AND f.seq = e.seq)`;

/** On a machine that others use, a worker may take half a minute to start, and an event that is tried alone waits its turn. */
const DRAIN_LIMIT_MS = 180_000;

/** Reads log, attempts and views straight from the database and compares them with what was sent. */
export async function check(databaseUrl: string, sent: Webhook[], acknowledged: Map<string, number>): Promise<CheckResult> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await drained(client);
    const log = await client.query<LogRow>(
      `SELECT e.workspace_id, e.event_id, e.body, coalesce(tsvector_to_array(f.terms), '{}') AS terms, coalesce(a.n, 0) AS applied,
         ${waitingSql("e")} OR EXISTS (SELECT 1 FROM dead_letters d WHERE d.received_at = e.received_at AND d.seq = e.seq) AS waiting
       FROM events e LEFT JOIN event_search f USING (workspace_id, received_at, seq) LEFT JOIN (
         SELECT received_at, seq, count(*) AS n FROM ${EVERY_TRY} t WHERE outcome = 'applied' GROUP BY 1, 2) a ON a.received_at = e.received_at AND a.seq = e.seq`,
    );
    const views = await client.query<{ id: string; registers: Record<string, { id: string }> }>(
      "SELECT id, registers FROM views WHERE kind = 'document'",
    );
    const setters = new Map(views.rows.map(({ id, registers }) => [id, new Set(Object.values(registers).map((register) => register.id))]));
    const rows = new Map<string, LogRow[]>();
    for (const row of log.rows) rows.set(row.event_id, [...(rows.get(row.event_id) ?? []), row]);
    const stored = sent.filter(({ eventId }) => rows.has(eventId));
    return {
      acknowledged: acknowledged.size,
      lost: [...acknowledged.keys()].filter((eventId) => !rows.has(eventId)).length,
      altered: stored.filter(({ eventId, body }) => rows.get(eventId)?.[0]?.body.toString() !== body).length,
      storedTwice: [...rows.values()].filter((copies) => copies.length > 1).length,
      appliedTwice: log.rows.filter(({ applied }) => Number(applied) > 1).length,
      notInView: stored.filter(({ eventId, documentId, ofPlatform }) => ofPlatform && !setters.get(documentId)?.has(eventId)).length,
      foreign: stored.filter(({ documentId, ofPlatform }) => !ofPlatform && setters.has(documentId)).length,
      notFound: stored.filter((webhook) => !rows.get(webhook.eventId)?.every((row) => isFound(webhook, row))).length,
      unsettled: log.rows.filter(({ waiting }) => waiting).length,
    };
  } finally {
    await client.end();
  }
}

/** True if an event is filed under its ID and its document's: with its workspace, or as the release before filed. GitHub's data is the whole body. */
function isFound({ eventId, documentId, path }: Webhook, { workspace_id, terms }: LogRow): boolean {
  const at = `${path.endsWith("github") ? "data.data" : "data"}.documentid`;
  const forms = [
    [filedTerm(workspace_id, null, eventId), filedTerm(workspace_id, at, documentId)],
    [eventId, `${at}:${documentId}`],
  ];
  return forms.some((form) => form.every((term) => terms.includes(term)));
}

/** The IDs of acknowledged events that are not in the log. */
export async function listLost(databaseUrl: string, acknowledged: Map<string, number>): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ event_id: string }>("SELECT event_id FROM events");
  await client.end();
  const stored = new Set(rows.map(({ event_id }) => event_id));
  return [...acknowledged.keys()].filter((id) => !stored.has(id));
}

/** True when nothing is wrong. */
export const isClean = ({ acknowledged, ...faults }: CheckResult): boolean =>
  acknowledged > 0 && Object.values(faults).every((count) => count === 0);

async function drained(client: pg.Client): Promise<void> {
  for (const end = Date.now() + DRAIN_LIMIT_MS; Date.now() < end; ) {
    const { rowCount } = await client.query(`SELECT 1 FROM ${EVERYTHING_WAITING} w UNION ALL ${UNFILED} LIMIT 1`);
    if (rowCount === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
