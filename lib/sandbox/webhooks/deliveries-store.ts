import { env } from "#lib/config/env";
import type { SandboxDelivery } from "#lib/contracts/sandbox";
import { inTransaction, pool } from "#lib/db/pool";
import type { PoolName } from "#lib/db/pool-sizes";
import { prisma } from "#lib/db/prisma";
import type { SandboxEnvelope } from "#lib/sandbox/scenarios";
import { isSuccess, type Outgoing } from "./outgoing.ts";

/** The queue is also the log of the requests and their answers. */

export type Claimed = {
  id: number;
  workspaceId: string;
  source: string;
  body: Buffer;
  fault: string | null;
  scenario: string | null;
  attempt: number;
};

const FIELDS = `id::text, event_id AS "eventId", type, fault, scenario, state, attempts, last_status AS "lastStatus",
  last_answer AS "lastAnswer", created_at AS "createdAt", CASE WHEN state = 'waiting' THEN due_at END AS "dueAt"`;

export async function insertAll(workspaceId: string, webhooks: Outgoing[], now: Date): Promise<void> {
  const column = <K extends keyof Outgoing>(name: K) => webhooks.map((webhook) => webhook[name]);
  await pool().query(
    `INSERT INTO sandbox_deliveries (workspace_id, event_id, type, body, fault, scenario, created_at, due_at)
     SELECT $8, event_id, type, convert_to(body, 'UTF8'), fault, scenario, $7, due_at
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
       WITH ORDINALITY AS given (event_id, type, body, fault, scenario, due_at, place)
     ORDER BY place`,
    [
      column("eventId"),
      column("type"),
      column("body"),
      column("fault"),
      column("scenario"),
      webhooks.map(({ afterMs }) => new Date(now.getTime() + afterMs)),
      now,
      workspaceId,
    ],
  );
}

type SentOnce = Pick<Outgoing, "eventId" | "type" | "body"> & { fault: string | null; status: number | null; answer: string };

export async function insertDone(workspaceId: string, { eventId, type, body, fault, status, answer }: SentOnce): Promise<void> {
  await pool().query(
    `INSERT INTO sandbox_deliveries (workspace_id, event_id, type, body, fault, state, attempts, last_status, last_answer, created_at, due_at, done_at)
     VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8, now(), now(), now())`,
    [workspaceId, eventId, type, Buffer.from(body), fault, isSuccess(status) ? "delivered" : "failed", status, answer],
  );
}

export async function listNewest(workspaceId: string, limit: number): Promise<SandboxDelivery[]> {
  const { rows } = await pool().query(
    `SELECT ${FIELDS} FROM sandbox_deliveries WHERE workspace_id = $1 ORDER BY sandbox_deliveries.id DESC LIMIT $2`,
    [workspaceId, limit],
  );
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString(), dueAt: row.dueAt?.toISOString() ?? null }));
}

export async function findLastOfScenario(workspaceId: string, scenario: string): Promise<SandboxEnvelope | null> {
  const last = await prisma().sandboxDelivery.findFirst({
    where: { workspaceId, scenario },
    select: { body: true },
    orderBy: { id: "desc" },
  });
  return last ? (JSON.parse(Buffer.from(last.body).toString()) as SandboxEnvelope) : null;
}

const WORKER: PoolName = "worker";

/** Workspaces take turns: each gets its share if several have something due. $1 limit, $2 now. */
const DUE = `SELECT id, source, row_number() OVER (PARTITION BY workspace_id ORDER BY due_at, id) AS turn, due_at
  FROM (SELECT p.workspace_id, p.source, d.id, d.due_at FROM sandbox_platforms p CROSS JOIN LATERAL (
      SELECT id, due_at FROM sandbox_deliveries WHERE workspace_id = p.workspace_id AND state = 'waiting' AND due_at <= $2
      ORDER BY due_at, id LIMIT $1 FOR UPDATE SKIP LOCKED) d
    WHERE EXISTS (SELECT 1 FROM sandbox_signing_secrets s WHERE s.workspace_id = p.workspace_id)
      OR (p.source = $4 AND ($5 OR EXISTS (SELECT 1 FROM sandbox_signing_secrets s WHERE s.workspace_id = 'sandbox')))) each
  ORDER BY turn, due_at, id LIMIT $1`;

/** Leases due deliveries: if this process dies, they are due again after `leaseMs`. Without a secret a platform's deliveries wait. */
export async function claimDue(limit: number, leaseMs: number, now: Date): Promise<Claimed[]> {
  const { WEBHOOK_SOURCE, WEBHOOK_SECRET } = env();
  return inTransaction(pool(WORKER), async (client) => {
    const { rows } = await client.query(
      `WITH due AS (${DUE})
       UPDATE sandbox_deliveries SET attempts = attempts + 1, due_at = $3
       FROM due WHERE sandbox_deliveries.id = due.id
       RETURNING sandbox_deliveries.id, workspace_id AS "workspaceId", due.source, body, fault, scenario, attempts AS attempt`,
      [limit, now, new Date(now.getTime() + leaseMs), WEBHOOK_SOURCE, WEBHOOK_SECRET !== undefined],
    );
    return rows.sort((a, b) => a.id - b.id);
  });
}

export type TryOutcome = { status: number | null; answer: string; signature: string | null };

export async function markDone(id: number, state: "delivered" | "failed", outcome: TryOutcome, now: Date): Promise<void> {
  await pool(WORKER).query(
    `UPDATE sandbox_deliveries SET state = $2, last_status = $3, last_answer = $4, signature = $5, done_at = $6 WHERE id = $1`,
    [id, state, outcome.status, outcome.answer, outcome.signature, now],
  );
}

export async function markRetry(id: number, outcome: TryOutcome, dueAt: Date): Promise<void> {
  await pool(WORKER).query(
    "UPDATE sandbox_deliveries SET last_status = $2, last_answer = $3, signature = $4, due_at = $5 WHERE id = $1 AND state = 'waiting'",
    [id, outcome.status, outcome.answer, outcome.signature, dueAt],
  );
}

/** Returns a delivery whose attempt a shutdown cancelled: the attempt does not count. */
export async function release(id: number, now: Date): Promise<void> {
  await pool(WORKER).query("UPDATE sandbox_deliveries SET attempts = attempts - 1, due_at = $2 WHERE id = $1 AND state = 'waiting'", [
    id,
    now,
  ]);
}

const KEPT_MS = 2 * 86_400_000;

export async function pruneDeliveries(now: Date): Promise<void> {
  const settled = { state: { not: "waiting" }, doneAt: { lt: new Date(now.getTime() - KEPT_MS) } };
  await prisma(pool(WORKER)).sandboxDelivery.deleteMany({ where: settled });
}
