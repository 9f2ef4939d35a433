import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { countCapped } from "#lib/db/capped-count";
import { pool } from "#lib/db/pool";
import type { Claimed } from "./inbox-store.ts";

export type DeadLetter = { receivedAt: Date; seq: number; failureCode: string; failureText: string; attempts: number; diedAt: Date };

export async function insertDeadLetters(client: pg.PoolClient, dead: { claimed: Claimed; code: string; text: string }[]): Promise<void> {
  // One statement can't write a row twice: of an event that was delivered twice in this batch the later reason stays.
  const rows = [...new Map(dead.map((each) => [each.claimed.seq, each])).values()];
  await client.query({
    name: "dead-letters-insert",
    text: `INSERT INTO dead_letters (received_at, seq, workspace_id, type, event_id, failure_code, failure_text, attempts)
      SELECT * FROM unnest($1::timestamptz[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[])
      ON CONFLICT (received_at, seq) DO UPDATE SET failure_code = excluded.failure_code, failure_text = excluded.failure_text,
        attempts = dead_letters.attempts + excluded.attempts, died_at = now()`,
    values: [
      rows.map(({ claimed }) => claimed.receivedAt.toISOString()),
      rows.map(({ claimed }) => claimed.seq),
      rows.map(({ claimed }) => claimed.workspaceId),
      rows.map(({ claimed }) => claimed.type),
      rows.map(({ claimed }) => claimed.eventId),
      rows.map(({ code }) => code),
      rows.map(({ text }) => text),
      rows.map(({ claimed }) => claimed.attempts + 1),
    ],
  });
}

export async function resolveDeadLetters(client: pg.PoolClient, applied: Claimed[]): Promise<void> {
  await client.query({
    name: "dead-letters-resolve",
    text: `DELETE FROM dead_letters d USING unnest($1::timestamptz[], $2::bigint[]) AS u(r, s) WHERE d.received_at = u.r AND d.seq = u.s`,
    values: [applied.map(({ receivedAt }) => receivedAt.toISOString()), applied.map(({ seq }) => seq)],
  });
}

export async function findDeadLetter(workspaceId: WorkspaceId, at: { receivedAt: Date; seq: number }): Promise<DeadLetter | null> {
  const { rows } = await pool().query<{ failure_code: string; failure_text: string; attempts: number; died_at: Date }>(
    "SELECT failure_code, failure_text, attempts, died_at FROM dead_letters WHERE workspace_id = $1 AND received_at = $2 AND seq = $3",
    [workspaceId, at.receivedAt, at.seq],
  );
  const [row] = rows;
  if (!row) return null;
  return { ...at, failureCode: row.failure_code, failureText: row.failure_text, attempts: row.attempts, diedAt: row.died_at };
}

export function countDeadLetters(workspaceId: WorkspaceId): Promise<number> {
  return countCapped(pool(), "SELECT 1 FROM dead_letters WHERE workspace_id = $1", [workspaceId]);
}
