import { env } from "#lib/config/env";
import { newId } from "#lib/contracts/api/ids";
import type { ReceivedRequest, ReceivedSignature, ReceiverBehaviour } from "#lib/contracts/sandbox";
import { pool } from "#lib/db/pool";
import type { PoolName } from "#lib/db/pool-sizes";
import { prisma } from "#lib/db/prisma";
import { open, seal } from "#lib/vault/vault";

/** Each workspace has its own simulated platform, unknown to the others. */

export async function savePlatform(workspaceId: string, source: string): Promise<void> {
  await pool("worker").query(
    `INSERT INTO sandbox_platforms (workspace_id, source) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET source = excluded.source WHERE sandbox_platforms.source <> excluded.source`,
    [workspaceId, source],
  );
}

export async function findPlatformSource(workspaceId: string): Promise<string | null> {
  return (await prisma().sandboxPlatform.findFirst({ where: { workspaceId }, select: { source: true } }))?.source ?? null;
}

/** Adopts rows without a workspace: of the previous release, or of grants requested without one. Runs each second: one statement. */
export async function adoptOwnerless(workspaceId: string): Promise<void> {
  await pool("worker").query(
    `WITH deliveries AS (UPDATE sandbox_deliveries SET workspace_id = $1 WHERE workspace_id IS NULL),
       codes AS (UPDATE sandbox_codes SET workspace_id = $1 WHERE workspace_id IS NULL)
     UPDATE sandbox_grants SET workspace_id = $1 WHERE workspace_id IS NULL`,
    [workspaceId],
  );
}

/** `before` is the one before the last change. */
export type SigningSecrets = { current: string; before: string | null };

/** The previous release sealed the secrets of its only platform under this name. */
const EARLIER = "sandbox";

const placeOf = (workspaceId: string, id: string) => ({ workspaceId, table: "sandbox_signing_secrets", row: id, field: "sealed" });

type Row = { id: string; workspaceId: string; sealed: string };

/** True for secrets of $1; for the first workspace, whose source is $2, also for those of the previous release. */
const OWN = `(workspace_id = $1 OR (workspace_id = '${EARLIER}'
  AND EXISTS (SELECT 1 FROM sandbox_platforms p WHERE p.workspace_id = $1 AND p.source = $2)))`;

/** Returns null if the workspace's platform has no secret: then it sends nothing. */
export async function readSigningSecrets(workspaceId: string, from: PoolName = "worker"): Promise<SigningSecrets | null> {
  const { WEBHOOK_SOURCE, WEBHOOK_SECRET } = env();
  const own = [workspaceId, WEBHOOK_SOURCE];
  const { rows } = await pool(from).query<Row>(
    `SELECT id, workspace_id AS "workspaceId", sealed FROM sandbox_signing_secrets WHERE ${OWN} ORDER BY created_at DESC, id DESC LIMIT 2`,
    own,
  );
  const given = await Promise.all(rows.map((row) => open(row.sealed, placeOf(row.workspaceId, row.id))));
  const { rowCount } = await pool(from).query("SELECT 1 FROM sandbox_platforms WHERE workspace_id = $1 AND source = $2", own);
  const [current, before] = [...given, rowCount === 0 ? undefined : WEBHOOK_SECRET].filter((secret) => secret !== undefined);
  return current === undefined ? null : { current, before: before ?? null };
}

/** Saves the secret unless another was set before. */
export async function saveFirstSigningSecret(workspaceId: string, secret: string): Promise<void> {
  // A fixed ID: workers that start together must not add the same secret twice.
  const id = `sec_first_${workspaceId}`;
  const { sealed, keyId } = await seal(secret, placeOf(workspaceId, id));
  await pool("worker").query(
    `INSERT INTO sandbox_signing_secrets (id, workspace_id, sealed, key_id)
     SELECT $3, $1, $4, $5 WHERE NOT EXISTS (SELECT 1 FROM sandbox_signing_secrets WHERE ${OWN}) ON CONFLICT (id) DO NOTHING`,
    [workspaceId, env().WEBHOOK_SOURCE, id, sealed, keyId],
  );
}

/** Keeps the two newest. */
export async function saveSigningSecret(workspaceId: string, secret: string): Promise<void> {
  const id = newId("sec");
  const { sealed, keyId } = await seal(secret, placeOf(workspaceId, id));
  await prisma().sandboxSigningSecret.createMany({ data: { id, workspaceId, sealed, keyId } });
  await pool().query(
    `DELETE FROM sandbox_signing_secrets WHERE workspace_id = $1 AND id NOT IN (
       SELECT id FROM sandbox_signing_secrets WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT 2)`,
    [workspaceId],
  );
}

export type StoredReceiver = { id: string; workspaceId: string; behaviour: ReceiverBehaviour; requests: number };

type ReceiverRow = { id: string; workspaceId: string; requests: number } & ReceiverBehaviour;

const COLUMNS = `id, workspace_id AS "workspaceId", answer, every, status, delay_ms AS "delayMs", requests`;

const receiverOf = ({ id, workspaceId, requests, answer, every, status, delayMs }: ReceiverRow): StoredReceiver => ({
  ...{ id, workspaceId, requests: Number(requests) },
  behaviour: { answer, every, status, delayMs },
});

export async function findReceiver(workspaceId: string): Promise<StoredReceiver | null> {
  const { rows } = await pool().query<ReceiverRow>(`SELECT ${COLUMNS} FROM sandbox_receivers WHERE workspace_id = $1`, [workspaceId]);
  return rows[0] ? receiverOf(rows[0]) : null;
}

export async function findOrInsertReceiver(workspaceId: string): Promise<StoredReceiver> {
  const found = await findReceiver(workspaceId);
  if (found) return found;
  await prisma().sandboxReceiver.createMany({ data: { id: newId("rcv"), workspaceId }, skipDuplicates: true });
  const made = await findReceiver(workspaceId);
  if (!made) throw new Error("the receiving app was not inserted");
  return made;
}

/** Returns the app with this request counted; null if there is none. */
export async function countRequest(id: string): Promise<StoredReceiver | null> {
  const { rows } = await pool().query<ReceiverRow>(
    `UPDATE sandbox_receivers SET requests = requests + 1 WHERE id = $1 RETURNING ${COLUMNS}`,
    [id],
  );
  return rows[0] ? receiverOf(rows[0]) : null;
}

export async function updateBehaviour(id: string, { answer, every, status, delayMs }: ReceiverBehaviour): Promise<void> {
  await prisma().sandboxReceiver.updateMany({ where: { id }, data: { answer, every, status, delayMs } });
}

type NewReceived = Omit<ReceivedRequest, "id" | "at" | "seenBefore" | "signature"> & { signature: ReceivedSignature };

const KEPT = 200;

export async function insertReceived(receiverId: string, received: NewReceived): Promise<void> {
  const { eventId, type, deliveryId, attempt, signature, status, headers, body } = received;
  await pool().query(
    `INSERT INTO sandbox_received (receiver_id, event_id, type, delivery_id, attempt, signature, status, headers, body)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [receiverId, eventId, type, deliveryId, attempt, signature, status, JSON.stringify(headers), body],
  );
  await pool().query(
    `DELETE FROM sandbox_received WHERE receiver_id = $1
       AND id <= (SELECT id FROM sandbox_received WHERE receiver_id = $1 ORDER BY id DESC OFFSET ${KEPT} LIMIT 1)`,
    [receiverId],
  );
}

export async function listReceived(receiverId: string, limit: number): Promise<ReceivedRequest[]> {
  const { rows } = await pool().query<Omit<ReceivedRequest, "at"> & { at: Date }>(
    `SELECT r.id::text, r.at, r.event_id AS "eventId", r.type, r.delivery_id AS "deliveryId", r.attempt, r.signature, r.status, r.headers, r.body,
       EXISTS (SELECT 1 FROM sandbox_received b WHERE b.receiver_id = r.receiver_id AND b.id < r.id AND b.event_id = r.event_id
         AND b.status BETWEEN 200 AND 299) AS "seenBefore"
     FROM sandbox_received r WHERE r.receiver_id = $1 ORDER BY r.id DESC LIMIT $2`,
    [receiverId, limit],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** One for each destination that leads here, and those of a rotation. */
const KEPT_SECRETS = 5;

export async function insertReceiverSecret(workspaceId: string, receiverId: string, secret: string): Promise<void> {
  const id = newId("rsec");
  const { sealed, keyId } = await seal(secret, contextOf(workspaceId, id));
  await prisma().sandboxReceiverSecret.createMany({ data: { id, workspaceId, receiverId, sealed, keyId } });
  await pool().query(
    `DELETE FROM sandbox_receiver_secrets WHERE receiver_id = $1 AND id NOT IN (
       SELECT id FROM sandbox_receiver_secrets WHERE receiver_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${KEPT_SECRETS})`,
    [receiverId],
  );
}

export async function openReceiverSecrets(workspaceId: string, receiverId: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string; sealed: string }>(
    "SELECT id, sealed FROM sandbox_receiver_secrets WHERE receiver_id = $1 ORDER BY created_at DESC, id DESC",
    [receiverId],
  );
  return Promise.all(rows.map(({ id, sealed }) => open(sealed, contextOf(workspaceId, id))));
}

const contextOf = (workspaceId: string, id: string) => ({ workspaceId, table: "sandbox_receiver_secrets", row: id, field: "sealed" });
