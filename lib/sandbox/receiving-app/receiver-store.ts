import { newId } from "#lib/contracts/api/ids";
import type { ReceivedRequest, ReceivedSignature, ReceiverBehaviour } from "#lib/contracts/forwarding/receiving-app";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { open, seal } from "#lib/vault/vault";

/** A workspace's receiving app. */
export type StoredReceiver = { id: string; workspaceId: string; behaviour: ReceiverBehaviour; requests: number };

type Row = { id: string; workspaceId: string; requests: number } & ReceiverBehaviour;

const COLUMNS = `id, workspace_id AS "workspaceId", answer, every, status, delay_ms AS "delayMs", requests`;

const receiverOf = ({ id, workspaceId, requests, answer, every, status, delayMs }: Row): StoredReceiver => ({
  ...{ id, workspaceId, requests: Number(requests) },
  behaviour: { answer, every, status, delayMs },
});

/** The workspace's receiving app; null when there is none yet. */
export async function findReceiver(workspaceId: string): Promise<StoredReceiver | null> {
  const { rows } = await pool().query<Row>(`SELECT ${COLUMNS} FROM sandbox_receivers WHERE workspace_id = $1`, [workspaceId]);
  return rows[0] ? receiverOf(rows[0]) : null;
}

/** The same for a change; made when there is none yet. */
export async function findOrInsertReceiver(workspaceId: string): Promise<StoredReceiver> {
  const found = await findReceiver(workspaceId);
  if (found) return found;
  await prisma().sandboxReceiver.createMany({ data: { id: newId("rcv"), workspaceId }, skipDuplicates: true });
  const made = await findReceiver(workspaceId);
  if (!made) throw new Error("the receiving app was not inserted");
  return made;
}

/** Counts a request in. @returns the app with this request counted; null when there is none of that id */
export async function countRequest(id: string): Promise<StoredReceiver | null> {
  const { rows } = await pool().query<Row>(`UPDATE sandbox_receivers SET requests = requests + 1 WHERE id = $1 RETURNING ${COLUMNS}`, [id]);
  return rows[0] ? receiverOf(rows[0]) : null;
}

/** Sets how it answers from now on. */
export async function updateBehaviour(id: string, { answer, every, status, delayMs }: ReceiverBehaviour): Promise<void> {
  await prisma().sandboxReceiver.updateMany({ where: { id }, data: { answer, every, status, delayMs } });
}

/** A request as it is kept. */
export type NewReceived = Omit<ReceivedRequest, "id" | "at" | "seenBefore" | "signature"> & { signature: ReceivedSignature };

const KEPT = 200;

/** Keeps a request; the newest 200 of an app stay. */
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

/** Returns what it was sent, newest first. */
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

/** Number of secrets that verify: one for each destination that leads here, and those of a rotation. */
const KEPT_SECRETS = 5;

/** Takes one more secret to verify with. */
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

/** The opened secrets that it verifies with, newest first. */
export async function openReceiverSecrets(workspaceId: string, receiverId: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string; sealed: string }>(
    "SELECT id, sealed FROM sandbox_receiver_secrets WHERE receiver_id = $1 ORDER BY created_at DESC, id DESC",
    [receiverId],
  );
  return Promise.all(rows.map(({ id, sealed }) => open(sealed, contextOf(workspaceId, id))));
}

const contextOf = (workspaceId: string, id: string) => ({ workspaceId, table: "sandbox_receiver_secrets", row: id, field: "sealed" });
