import { newId } from "#lib/contracts/api/ids";
import type { ReceivedRequest, ReceivedSignature, ReceiverBehaviour } from "#lib/contracts/sandbox";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { open, seal } from "#lib/vault/vault";

export type StoredReceiver = { id: string; workspaceId: string; behaviour: ReceiverBehaviour; requests: number };

type Row = { id: string; workspaceId: string; requests: number } & ReceiverBehaviour;

const COLUMNS = `id, workspace_id AS "workspaceId", answer, every, status, delay_ms AS "delayMs", requests`;

const receiverOf = ({ id, workspaceId, requests, answer, every, status, delayMs }: Row): StoredReceiver => ({
  ...{ id, workspaceId, requests: Number(requests) },
  behaviour: { answer, every, status, delayMs },
});

export async function findReceiver(workspaceId: string): Promise<StoredReceiver | null> {
  const { rows } = await pool().query<Row>(`SELECT ${COLUMNS} FROM sandbox_receivers WHERE workspace_id = $1`, [workspaceId]);
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
  const { rows } = await pool().query<Row>(`UPDATE sandbox_receivers SET requests = requests + 1 WHERE id = $1 RETURNING ${COLUMNS}`, [id]);
  return rows[0] ? receiverOf(rows[0]) : null;
}

export async function updateBehaviour(id: string, { answer, every, status, delayMs }: ReceiverBehaviour): Promise<void> {
  await prisma().sandboxReceiver.updateMany({ where: { id }, data: { answer, every, status, delayMs } });
}

export type NewReceived = Omit<ReceivedRequest, "id" | "at" | "seenBefore" | "signature"> & { signature: ReceivedSignature };

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
