import { randomBytes } from "node:crypto";
import { type Actor, requirePerson } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { findByEmail, findPreferences, normalEmail, savePreferences } from "#lib/auth/members/user-store";
import { insertWorkspace } from "#lib/auth/members/workspace-store";
import { endOwnSessions, enterWorkspace, resetPassword } from "#lib/auth/session-store";
import { hashPassword } from "#lib/auth/sign-in/password";
import { AppError, expectFound } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Preferences } from "#lib/contracts/auth/account";
import { ensureSource } from "#lib/sources/source-store";
import { newToken } from "#lib/vault/opaque-token";

/** @throws AppError `conflict` for an API key */
export async function readPreferences(actor: Actor): Promise<Preferences> {
  requirePerson(actor);
  return findPreferences(actor.by.userId);
}

/** @throws AppError `conflict` for an API key */
export async function changePreferences({ actor, audit }: Context, wanted: Preferences): Promise<Preferences> {
  requirePerson(actor);
  const { userId, email } = actor.by;
  const before = await savePreferences(userId, wanted);
  if (before.timeZone === wanted.timeZone) audit.unchanged();
  else await audit.record({ action: "account.changed", target: { kind: "person", id: userId, name: email }, before, after: wanted });
  return wanted;
}

export const endOtherSessions = (context: Context): Promise<number> => endOwnSessions(context, null);

export async function endSession(context: Context, publicId: string): Promise<void> {
  if ((await endOwnSessions(context, publicId)) === 0)
    throw new AppError("not_found", "There is no session with that ID. It may have ended already.");
}

export { enterWorkspace, noteVisit } from "#lib/auth/session-store";

/** Creates a workspace with a source of its own, and takes the session there. Returns its ID and the Set-Cookie line. */
export async function createWorkspace(context: Context, name: string): Promise<{ id: WorkspaceId; cookie: string }> {
  const id = await insertWorkspace(context, name);
  await ensureSource(id, sourceNameFor(name), undefined, { now: context.now });
  return { id, cookie: await enterWorkspace(context, id) };
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

/** Sets and returns a random password and ends all sessions. @param removeFactors also removes lost factors @throws AppError `not_found` */
export async function resetForgottenPassword(
  email: string,
  removeFactors = false,
): Promise<{ email: string; password: string; sessionsEnded: number; factorsRemoved: number }> {
  const user = await expectFound(findByEmail(email), `account with the email address ${normalEmail(email)}`);
  const password = randomBytes(15).toString("base64url");
  return { email: user.email, password, ...(await resetPassword(user, await hashPassword(password), removeFactors)) };
}
