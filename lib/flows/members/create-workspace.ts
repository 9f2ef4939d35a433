import type { Audit } from "#lib/auth/audit/audit";
import type { Person } from "#lib/auth/members/person";
import { insertWorkspace } from "#lib/auth/members/workspace-store";
import { enterWorkspace } from "#lib/auth/sessions/rotation-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { ensureSource } from "#lib/sources/source-store";
import { newToken } from "#lib/vault/opaque-token";

/**
 * Makes a workspace that the person owns, with a source of its own, and takes
 * the session there.
 *
 * @returns its id, and the Set-Cookie line
 */
export async function createWorkspace(actor: Person, name: string, now: Date, audit: Audit): Promise<{ id: WorkspaceId; cookie: string }> {
  const id = await insertWorkspace(actor, name, audit);
  await ensureSource(id, sourceNameFor(name), undefined, { now });
  return { id, cookie: await enterWorkspace(actor, id, audit) };
}

/** Sources share one space of names, /webhooks/<name>: the workspace's name, and something that no other has. */
function sourceNameFor(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  return `${plain || "workspace"}-${newToken()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .slice(0, 6)}`;
}
