import type pg from "pg";
import { sessionPublicId } from "#lib/auth/audit/audit";
import { insertAudit } from "#lib/auth/audit/audit-store";
import type { Person } from "#lib/auth/members/person";
import { completeSession } from "#lib/auth/sessions/session-store";
import { insertRememberedDevice } from "#lib/auth/sign-in/known-device-store";
import { AppError } from "#lib/contracts/api/app-error";
import { inTransaction, pool } from "#lib/db/pool";
import { hashToken } from "#lib/vault/opaque-token";
import { markPasskeyUsed } from "./passkey-store.ts";
import type { ProvenPasskey } from "./passkeys.ts";
import { claimRecoveryCode } from "./recovery-code-store.ts";
import { claimTotpStep } from "./totp-store.ts";

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
