import type { JWT } from "next-auth/jwt";
import { listWorkspacesOf } from "#lib/auth/members/workspace-store";
import type { AuthRequest } from "#lib/auth/sign-in/auth-request";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import { sessionIdOf } from "./session-cookie.ts";
import { deleteSession, findLiveSession, insertSession } from "./session-store.ts";

/**
 * Returns what next-auth puts into the cookie. Without a session of its own the token
 * comes from a sign-in: a new session begins, and the one that this browser
 * had before ends. With one it is a read: the id stays.
 *
 * @throws Error when the person belongs to no workspace
 */
export async function encodeSession(token: JWT | undefined, { headers, method }: AuthRequest): Promise<string> {
  if (typeof token?.sessionId === "string") return token.sessionId;
  const userId = token?.sub ?? "";
  const [home] = await listWorkspacesOf(userId);
  if (!home) throw new Error("no_workspace");
  const replaced = sessionIdOf(headers);
  if (replaced) await deleteSession(hashToken(replaced));
  const sessionId = newToken();
  const userAgent = headers.get("user-agent");
  await insertSession({ idHash: hashToken(sessionId), userId, workspaceId: home.id, userAgent, method, now: new Date() });
  return sessionId;
}

/** The token that stands for the cookie's session; null once it has ended. */
export async function decodeSession(sessionId: string | undefined): Promise<JWT | null> {
  const live = sessionId ? await findLiveSession(hashToken(sessionId), new Date()) : null;
  return live && sessionId ? { sessionId, sub: live.userId, email: live.email, name: live.name } : null;
}
