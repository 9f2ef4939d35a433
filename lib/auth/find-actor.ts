import { AppError } from "#lib/contracts/api/app-error";
import { workspaceId as toWorkspaceId } from "#lib/contracts/api/ids";
import type { PendingStep } from "#lib/contracts/auth/factors";
import { hashToken } from "#lib/vault/opaque-token";
import type { Actor } from "./actor.ts";
import { mayBeApiKey } from "./api-keys/api-key.ts";
import { findKeyExpiry, findLiveKey } from "./api-keys/api-key-store.ts";
import { sessionIdOf } from "./sessions/session-cookie.ts";
import { findLiveSession } from "./sessions/session-store.ts";

/**
 * Returns who asks: the owner of `Authorization: Bearer sbx_…` or of the session cookie.
 * A request with an Authorization header is authenticated by it alone.
 *
 * @param step what the caller is for: a session that waits for it is let through too
 * @returns null for nobody: no credentials, or ones that don't work (any more), or a session that waits for a second factor
 */
export async function findActor(headers: Headers, now: Date, step: PendingStep | null = null): Promise<Actor | null> {
  const authorization = headers.get("authorization");
  if (authorization !== null) return findByKey(authorization, now);
  const sessionId = sessionIdOf(headers);
  return sessionId === null ? null : findBySession(hashToken(sessionId), now, step);
}

async function findByKey(authorization: string, now: Date): Promise<Actor | null> {
  const key = keyIn(authorization);
  const live = key && (await findLiveKey(hashToken(key), now));
  if (!live) return null;
  const { workspaceId, workspaceName, role, runsInstallation, keyId, name } = live;
  return { workspaceId: toWorkspaceId.parse(workspaceId), workspaceName, role, runsInstallation, by: { kind: "key", keyId, name } };
}

/** The API key of an Authorization header; null where that can't be one. */
function keyIn(authorization: string): string | null {
  const key = /^Bearer +(sbx_\S+)$/i.exec(authorization)?.[1];
  return key && mayBeApiKey(key) ? key : null;
}

/**
 * Tells the holder of an API key that it has expired. Of any other key nothing is said.
 *
 * @throws AppError `unauthenticated`
 */
export async function rejectExpiredKey(headers: Headers, now: Date): Promise<void> {
  const key = keyIn(headers.get("authorization") ?? "");
  const expiredAt = key === null ? null : await findKeyExpiry(hashToken(key), now);
  if (!expiredAt) return;
  const day = expiredAt.toISOString().slice(0, 10);
  throw new AppError("unauthenticated", `This API key expired on ${day}. Create another under Settings > API keys.`);
}

/** Returns what the browser's session waits for; null when it waits for nothing, or there is none. */
export async function findPendingStep(headers: Headers, now: Date): Promise<PendingStep | null> {
  const sessionId = sessionIdOf(headers);
  return sessionId === null ? null : ((await findLiveSession(hashToken(sessionId), now))?.pendingStep ?? null);
}

async function findBySession(sessionHash: string, now: Date, step: PendingStep | null): Promise<Actor | null> {
  const live = await findLiveSession(sessionHash, now);
  if (!live || (live.pendingStep !== null && live.pendingStep !== step)) return null;
  const { workspaceId, workspaceName, role, runsInstallation, userId, email, name, pendingStep, method, confirmed } = live;
  const by = { kind: "session" as const, sessionHash, userId, email, name, pendingStep, method, confirmed };
  return { workspaceId: toWorkspaceId.parse(workspaceId), workspaceName, role, runsInstallation, by };
}
