import type { JWT } from "next-auth/jwt";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import { earlierSessionIdOf, sessionIdOf } from "./credentials.ts";
import { listWorkspacesOf } from "./members/workspace-store.ts";
import { deleteSession, findLiveSession, insertSession } from "./session-store.ts";
import type { AuthRequest } from "./sign-in/auth-request.ts";

/** Returns the cookie's value: a token without a session ID comes from a sign-in and begins a session. @throws Error without a workspace */
export async function encodeSession(token: JWT | undefined, turn: AuthRequest): Promise<string> {
  if (typeof token?.sessionId === "string") return token.sessionId;
  const { headers, receivedAt, method, deviceHash } = turn;
  const { sessionId, waits } = await beginSession(headers, { userId: token?.sub ?? "", method, deviceHash, now: receivedAt });
  turn.waits = waits;
  return sessionId;
}

type Beginning = Pick<Parameters<typeof insertSession>[0], "userId" | "method" | "factor" | "deviceHash" | "now">;

/** Begins a session in the workspace joined first. The browser's earlier one ends last: its other tabs use it until the cookie changes. */
export async function beginSession(headers: Headers, beginning: Beginning): Promise<{ sessionId: string; waits: boolean }> {
  const [home] = await listWorkspacesOf(beginning.userId);
  if (!home) throw new Error("no_workspace");
  const sessionId = newToken();
  const userAgent = headers.get("user-agent");
  const { waits } = await insertSession({ ...beginning, idHash: hashToken(sessionId), workspaceId: home.id, userAgent });
  const replaced = sessionIdOf(headers);
  if (replaced) await deleteSession(hashToken(replaced));
  return { sessionId, waits };
}

/** Ends a session that next-auth's sign-out does not see. A post from another site has no cookie (`SameSite=Lax`). */
export async function endEarlierSession(headers: Headers): Promise<void> {
  const id = earlierSessionIdOf(headers);
  if (id) await deleteSession(hashToken(id));
}

/** Returns null once the session has ended, and while it waits for a second factor. */
export async function decodeSession(sessionId: string | undefined, now: Date): Promise<JWT | null> {
  const live = sessionId ? await findLiveSession(hashToken(sessionId), now) : null;
  return live && live.pendingStep === null && sessionId ? { sessionId, sub: live.userId, email: live.email, name: live.name } : null;
}
