import type { Audit } from "#lib/auth/audit/audit";
import type { Person } from "#lib/auth/members/person";
import { insertWorkspace } from "#lib/auth/members/workspace-store";
import { enterWorkspace } from "#lib/auth/sessions/rotation-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { ensureSource } from "#lib/sources/source-store";
import { newToken } from "#lib/vault/opaque-token";

/** Creates a workspace with a source of its own, and takes the session there. Returns its ID and the Set-Cookie line. */
export async function createWorkspace(actor: Person, name: string, now: Date, audit: Audit): Promise<{ id: WorkspaceId; cookie: string }> {
  const id = await insertWorkspace(actor, name, audit);
  await ensureSource(id, sourceNameFor(name), undefined, { now });
  return { id, cookie: await enterWorkspace(actor, id, audit) };
}

/** Adds a random part to the workspace's name, because all sources share the names of /webhooks/<name>. */
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
