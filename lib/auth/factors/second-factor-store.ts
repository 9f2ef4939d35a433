import type pg from "pg";
import { type Person, requireConfirmed, requirePerson } from "#lib/auth/actor";
import { type Audit, type Context, sessionPublicId } from "#lib/auth/audit/audit";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { completeSession, confirmSession, endSessions, rightsChanged } from "#lib/auth/session-store";
import { forgetRememberedDevices, insertRememberedDevice } from "#lib/auth/sign-in/attempt-store";
import { AppError } from "#lib/contracts/api/app-error";
import { inTransaction, pool } from "#lib/db/pool";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import {
  claimRecoveryCode,
  claimTotpStep,
  confirmTotp,
  countForeignWorkspaces,
  countRecoveryCodes,
  deleteFactors,
  deleteTotp,
  forgetWithFactors,
  hasFactor,
  isFactorRequired,
  lockPerson,
  replaceRecoveryCodes,
} from "./factor-store.ts";
import type { ProvenPasskey } from "./factors.ts";
import { deletePasskey, insertPasskey, markPasskeyUsed, type NewPasskey } from "./passkey-store.ts";

export type FactorProof = { kind: "totp"; step: number } | { kind: "recovery_code"; code: string } | ({ kind: "passkey" } & ProvenPasskey);

type Completion = {
  sessionId: string;
  deviceId: string | null;
  userAgent: string | null;
  now: Date;
};

/** Uses up a proof and completes the session in one transaction: of one code in two browsers, one wins. @returns seconds to live */
export async function completeWithFactor(
  { workspaceId, by }: Person,
  proof: FactorProof,
  { sessionId, deviceId, userAgent, now }: Completion,
): Promise<number | null> {
  const { userId, sessionHash, email } = by;
  return inTransaction(pool(), async (client) => {
    const used = await claimProof(client, userId, proof, now);
    if (!used) return null;
    const completed = await completeSession(client, { idHash: sessionHash, newHash: hashToken(sessionId), factor: proof.kind, now });
    if (!completed) throw new AppError("conflict", "This sign-in was already completed or has expired. Reload the page.");
    if (deviceId) await insertRememberedDevice(client, { idHash: hashToken(deviceId), userId, userAgent, now });
    const who = { kind: "person", id: userId, name: email, credential: sessionPublicId(hashToken(sessionId)) } as const;
    const after = { method: completed.method, factor: proof.kind, ...used, ...(deviceId && { browserRemembered: true }) };
    await insertAudit(workspaceId, { action: "sign_in.succeeded", who, after }, client);
    return completed.seconds;
  });
}

/** Returns details for the audit log; null if the proof was used before. */
async function claimProof(client: pg.PoolClient, userId: string, proof: FactorProof, now: Date): Promise<Record<string, unknown> | null> {
  if (proof.kind === "totp") return (await claimTotpStep(client, userId, proof.step)) ? {} : null;
  if (proof.kind === "passkey")
    return (await markPasskeyUsed(client, proof.passkey, proof.counter, now)) ? { passkey: proof.passkey.name } : null;
  const recoveryCodesLeft = await claimRecoveryCode(client, userId, proof.code, now);
  return recoveryCodesLeft === null ? null : { recoveryCodesLeft };
}

export const claimPasskey = ({ passkey, counter }: ProvenPasskey, now: Date): Promise<boolean> =>
  inTransaction(pool(), (client) => markPasskeyUsed(client, passkey, counter, now));

export type NewFactor = { kind: "totp"; step: number; sealed: string } | { kind: "passkey"; passkey: NewPasskey };

const accountOf = ({ by }: Person) => ({ kind: "account", id: by.userId, name: by.email });

/** Adds a factor. The first brings recovery codes and a new session ID; the person's other sessions are asked for it from then on. */
export async function addFactor(
  actor: Person,
  factor: NewFactor,
  now: Date,
  audit: Audit,
): Promise<{ recoveryCodes: string[] | null; session: { id: string; seconds: number } | null }> {
  const { userId, sessionHash } = actor.by;
  const id = newToken();
  const added = await inTransaction(pool(), async (client) => {
    if (!(await lockPerson(client, userId)))
      throw new AppError("conflict", "You sign in with single sign-on, so your identity provider manages your second factors.");
    if (factor.kind === "totp" && !(await confirmTotp(client, userId, factor, now)))
      throw new AppError("conflict", "This set-up was completed or begun again in another tab. Start again there, or reload this page.");
    if (factor.kind === "passkey" && !(await insertPasskey(client, userId, factor.passkey)))
      throw new AppError(
        "conflict",
        "This passkey is already registered, or you have 10 passkeys, which is the maximum. Remove one first.",
      );
    const recoveryCodes = (await countRecoveryCodes(userId, client)) === 0 ? await replaceRecoveryCodes(client, userId) : null;
    const session = await completeSession(client, { idHash: sessionHash, newHash: hashToken(id), factor: factor.kind, now });
    const after = { factor: factor.kind, ...(factor.kind === "passkey" && { name: factor.passkey.name }) };
    await audit.record({ action: "factor.added", target: accountOf(actor), after }, client);
    return { recoveryCodes, session: session && { id, seconds: session.seconds } };
  });
  rightsChanged("");
  return added;
}

/** Removes a factor (`passkeyId` null: the app) and ends all other sessions.
 * @throws AppError `conflict` for a required last one, `not_found`, `confirmation_required` */
export async function removeFactor({ actor, audit }: Context, passkeyId: string | null): Promise<void> {
  requireConfirmed(actor);
  const { userId, sessionHash } = actor.by;
  await inTransaction(pool(), async (client) => {
    await lockPerson(client, userId);
    const name = passkeyId === null ? ((await deleteTotp(client, userId)) ? "" : null) : await deletePasskey(client, userId, passkeyId);
    if (name === null)
      throw new AppError("not_found", passkeyId === null ? "No authenticator app is set up." : "You have no passkey with that ID.");
    await forgetAfterRemoval(client, userId);
    const sessionsEnded = await endSessions(client, userId, { except: sessionHash });
    const before = passkeyId === null ? { factor: "totp" } : { factor: "passkey", name };
    await audit.record({ action: "factor.removed", target: accountOf(actor), before, after: { sessionsEnded } }, client);
  });
  rightsChanged("");
}

async function forgetAfterRemoval(client: pg.PoolClient, userId: string): Promise<void> {
  if (await hasFactor(client, userId)) await forgetRememberedDevices(client, userId, null);
  else if (await isFactorRequired(userId, client))
    throw new AppError("conflict", "One of your workspaces requires a second factor, and this is your only one. Add another first.");
  else await forgetWithFactors(client, userId);
}

/** Returns new codes, which are shown once. @throws AppError `confirmation_required`, `conflict` */
export async function renewRecoveryCodes({ actor, audit }: Context): Promise<string[]> {
  requireConfirmed(actor);
  return inTransaction(pool(), async (client) => {
    await lockPerson(client, actor.by.userId);
    if (!(await hasFactor(client, actor.by.userId)))
      throw new AppError("conflict", "Recovery codes replace a lost second factor. Set up an authenticator app or a passkey first.");
    await audit.record({ action: "recovery_code.replaced", target: accountOf(actor) }, client);
    return replaceRecoveryCodes(client, actor.by.userId);
  });
}

/** Ends a remembered browser, which then needs a second factor. @throws AppError `not_found` */
export async function forgetDevice({ actor, audit }: Context, publicId: string): Promise<void> {
  requirePerson(actor);
  await inTransaction(pool(), async (client) => {
    if ((await forgetRememberedDevices(client, actor.by.userId, publicId)) === 0)
      throw new AppError("not_found", "There is no remembered browser with that ID. It may have expired.");
    await audit.record({ action: "device.forgotten", target: { kind: "device", id: publicId } }, client);
  });
}

export async function confirmPerson(actor: Person, now: Date, audit: Audit): Promise<void> {
  await inTransaction(pool(), async (client) => {
    await confirmSession(client, actor.by.sessionHash, now);
    await audit.record({ action: "session.confirmed", target: accountOf(actor) }, client);
  });
}

type MemberFactors = { email: string; removed: number };

/** Removes a member's lost factors and ends their sessions. @throws AppError `conflict` for oneself or a member of a foreign workspace */
export async function removeMemberFactors(actor: Person, userId: string, audit: Audit): Promise<MemberFactors> {
  if (userId === actor.by.userId)
    throw new AppError("conflict", "These are your own second factors. Change them under Settings > Your account.");
  const removed = await inTransaction(pool(), async (client) => {
    const { rows } = await client.query<{ email: string }>(
      `SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $1 AND m.user_id = $2 FOR UPDATE OF u`,
      [actor.workspaceId, userId],
    );
    const email = rows[0]?.email;
    if (email === undefined) throw new AppError("not_found", "There is no member with that ID.");
    if ((await countForeignWorkspaces(client, userId, actor.by.userId)) > 0)
      throw new AppError(
        "conflict",
        `${email} is also a member of a workspace that you don't own. Ask whoever runs this installation to reset the account on the command line.`,
      );
    const count = await deleteFactors(client, userId);
    if (count === 0) return { email, removed: 0, recorded: audit.unchanged() };
    const sessionsEnded = await endSessions(client, userId, { except: "" });
    const target = { kind: "member", id: userId, name: email };
    await audit.record({ action: "factor.all_removed", target, before: { factors: count }, after: { sessionsEnded } }, client);
    return { email, removed: count };
  });
  rightsChanged("");
  return removed;
}
