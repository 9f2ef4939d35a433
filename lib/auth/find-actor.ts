import { workspaceId as toWorkspaceId } from "#lib/contracts/ids";
import { hashToken } from "#lib/vault/opaque-token";
import type { Actor } from "./actor.ts";
import { mayBeApiKey } from "./api-key.ts";
import { findLiveKey } from "./api-key-store.ts";
import { sessionIdOf } from "./session-cookie.ts";
import { findLiveSession } from "./session-store.ts";

/**
 * Who asks: the owner of `Authorization: Bearer sbx_…` or of the session cookie.
 * A request with an Authorization header is judged by it alone.
 *
 * @returns null for nobody: no credentials, or ones that don't work (any more)
 */
export async function findActor(headers: Headers, now = new Date()): Promise<Actor | null> {
  const authorization = headers.get("authorization");
  if (authorization !== null) return findByKey(authorization, now);
  const sessionId = sessionIdOf(headers);
  return sessionId === null ? null : findBySession(hashToken(sessionId), now);
}

async function findByKey(authorization: string, now: Date): Promise<Actor | null> {
  const key = /^Bearer +(sbx_\S+)$/i.exec(authorization)?.[1];
  const live = key && mayBeApiKey(key) ? await findLiveKey(hashToken(key), now) : null;
  if (!live) return null;
  const { workspaceId, workspaceName, role, keyId, name } = live;
  return { workspaceId: toWorkspaceId.parse(workspaceId), workspaceName, role, by: { kind: "key", keyId, name } };
}

async function findBySession(sessionHash: string, now: Date): Promise<Actor | null> {
  const live = await findLiveSession(sessionHash, now);
  if (!live) return null;
  const { workspaceId, workspaceName, role, userId, email, name } = live;
  return { workspaceId: toWorkspaceId.parse(workspaceId), workspaceName, role, by: { kind: "session", sessionHash, userId, email, name } };
}
