import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import type { AlertKey } from "./episode-store.ts";

/** `until` null: until it happens again. */
export type Snooze = { until: Date | null; by: string };

const KEY = "workspace_id = $1 AND rule = $2 AND subject = $3";
const LASTS = "(until IS NULL OR until > now())";

type Replaced = Snooze & { lasts: boolean };

/** Replaces a snooze; null ends it. @returns the earlier one if it was still active */
export async function setSnooze(client: pg.PoolClient, key: AlertKey, snooze: Snooze | null): Promise<Snooze | null> {
  const before = snooze ? await replaceSnooze(client, key, snooze) : await deleteSnooze(client, key);
  return before?.lasts ? { until: before.until, by: before.by } : null;
}

async function replaceSnooze(client: pg.PoolClient, { workspaceId, rule, subject }: AlertKey, snooze: Snooze): Promise<Replaced | null> {
  const values = [workspaceId, rule, subject, snooze.until, snooze.by];
  for (;;) {
    // Waits for a session that is snoozing the same.
    const { rowCount } = await client.query(
      "INSERT INTO alert_snoozes (workspace_id, rule, subject, until, by) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
      values,
    );
    if (rowCount === 1) return null;
    const { rows } = await client.query<Replaced>(
      `WITH b AS (SELECT until, by, ${LASTS} AS lasts FROM alert_snoozes WHERE ${KEY} FOR UPDATE)
       UPDATE alert_snoozes SET until = $4, by = $5, at = now() FROM b WHERE ${KEY} RETURNING b.until, b.by, b.lasts`,
      values,
    );
    if (rows[0]) return rows[0]; // else it was ended meanwhile
  }
}

async function deleteSnooze(client: pg.PoolClient, { workspaceId, rule, subject }: AlertKey): Promise<Replaced | null> {
  const { rows } = await client.query<Replaced>(`DELETE FROM alert_snoozes WHERE ${KEY} RETURNING until, by, ${LASTS} AS lasts`, [
    workspaceId,
    rule,
    subject,
  ]);
  return rows[0] ?? null;
}

export async function findSnooze(workspaceId: WorkspaceId, rule: AlertKey["rule"], subject: string): Promise<Snooze | null> {
  const { rows } = await pool().query<Snooze>(`SELECT until, by FROM alert_snoozes WHERE ${KEY} AND ${LASTS}`, [
    workspaceId,
    rule,
    subject,
  ]);
  return rows[0] ?? null;
}

/** Ends the until-it-recurs snoozes of what has recurred; people are notified again if the episode is still open. */
export async function endSnoozesOnRecurrence(client: pg.PoolClient, keys: AlertKey[]): Promise<void> {
  await client.query({
    name: "alert-snoozes-recurred",
    text: `WITH ended AS (
        DELETE FROM alert_snoozes z USING unnest($1::text[], $2::text[], $3::text[]) AS u(w, r, s)
        WHERE z.workspace_id = u.w AND z.rule = u.r AND z.subject = u.s AND z.until IS NULL RETURNING z.workspace_id, z.rule, z.subject)
      UPDATE alert_episodes e SET remind_at = now() - interval '1 second' FROM ended z
      WHERE e.workspace_id = z.workspace_id AND e.rule = z.rule AND e.subject = z.subject AND e.closed_at IS NULL`,
    values: [keys.map(({ workspaceId }) => workspaceId), keys.map(({ rule }) => rule), keys.map(({ subject }) => subject)],
  });
}
