import { AppError } from "#lib/contracts/api/app-error";
import { workspaceId as toWorkspaceId } from "#lib/contracts/api/ids";
import type { PendingStep } from "#lib/contracts/auth/account";
import { hashToken } from "#lib/vault/opaque-token";
import type { Actor } from "./actor.ts";
import { findKeyExpiry, findLiveKey } from "./api-key-store.ts";
import { mayBeApiKey, sessionIdOf } from "./credentials.ts";
import { findLiveSession } from "./session-store.ts";

/** Finds who asks; an Authorization header decides alone. @param step lets through a session that waits for it */
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

function keyIn(authorization: string): string | null {
  const key = /^Bearer +(sbx_\S+)$/i.exec(authorization)?.[1];
  return key && mayBeApiKey(key) ? key : null;
}

/** Tells only the holder of an expired key that it has expired. @throws AppError `unauthenticated` */
export async function rejectExpiredKey(headers: Headers, now: Date): Promise<void> {
  const key = keyIn(headers.get("authorization") ?? "");
  const expiredAt = key === null ? null : await findKeyExpiry(hashToken(key), now);
  if (!expiredAt) return;
  const day = expiredAt.toISOString().slice(0, 10);
  throw new AppError("unauthenticated", `This API key expired on ${day}. Create another under Settings > API keys.`);
}

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
