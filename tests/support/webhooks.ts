import { createHmac, randomUUID } from "node:crypto";
import type { Actor } from "#lib/auth/actor";
import { newId, type SourceId, workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { ensureSource } from "#lib/sources/source-store";

export const SECRET = "a-webhook-secret-of-the-tests";

/** The signature that docs/platform.md describes ("Webhook signature"), made without the product's own code. */
export const sign = (body: string | Uint8Array, secret = SECRET): string => createHmac("sha256", secret).update(body).digest("hex");

/** A workspace with one source of its own. */
export async function makeWorkspace(
  name = `source-${randomUUID().slice(0, 8)}`,
): Promise<{ workspaceId: WorkspaceId; source: string; sourceId: SourceId }> {
  const workspaceId = toWorkspaceId.parse(newId("wsp"));
  await pool().query("INSERT INTO workspaces (id, name) VALUES ($1, 'Acme')", [workspaceId]);
  await ensureSource(workspaceId, name, SECRET, { now: new Date() });
  const { rows } = await pool().query<{ id: SourceId }>("SELECT id FROM sources WHERE name = $1", [name]);
  const [row] = rows;
  if (!row) throw new Error("the source was not made");
  return { workspaceId, source: name, sourceId: row.id };
}

/** A developer of the workspace, signed in. */
export const actorOf = ({ workspaceId }: { workspaceId: WorkspaceId }): Actor => ({
  workspaceId,
  workspaceName: "Acme",
  role: "developer",
  by: { kind: "session", userId: "usr_ada", email: "ada@example.com", name: null, sessionHash: "0".repeat(64) },
});

/** The IDs of a workspace's events, in the order in which they were stored. */
export async function eventIdsOf(workspaceId: WorkspaceId): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>("SELECT event_id AS id FROM events WHERE workspace_id = $1 ORDER BY seq", [
    workspaceId,
  ]);
  return rows.map(({ id }) => id);
}

/** An envelope's text; a document.processed in its documented shape unless told otherwise. */
export function envelope(overrides: Record<string, unknown> = {}): string {
  return JSON.stringify({
    id: `evt_${randomUUID()}`,
    type: "document.processed",
    created: 1_760_000_000,
    data: { documentId: "doc_1", organizationId: "org_1", status: "completed", metadata: {} },
    ...overrides,
  });
}

/** A body with its signature, ready to send. */
export const signed = (body: string, secret = SECRET) => ({
  body,
  headers: { "content-type": "application/json", "x-webhook-signature": sign(body, secret) },
});
