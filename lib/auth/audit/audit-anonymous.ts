import { setImmediate as nextTurn } from "node:timers/promises";
import { listWorkspacesOf } from "#lib/auth/members/workspace-store";
import { once } from "#lib/context/once";
import { logger } from "#lib/observability/logger";
import { insertAudit } from "./audit-store.ts";

/**
 * Records what somebody who has not proved to be this person did at sign-in,
 * in each workspace that the account opens. Tries at accounts that don't exist
 * concern no workspace and are not recorded.
 */
export async function recordAnonymous(
  account: { id: string; email: string; name: string | null },
  action: "sign_in.failed" | "sign_in.locked" | "sign_in.rejected" | "sign_in.factor_rejected",
  after: Record<string, unknown>,
): Promise<void> {
  const who = { kind: "anonymous", id: null, name: account.email, credential: null } as const;
  const target = { kind: "account", id: account.id, name: account.email };
  for (const { id } of await listWorkspacesOf(account.id)) await insertAudit(id, { action, who, target, after });
}

const pending = (): Set<Promise<void>> => once("anonymous-entries", () => new Set());

/**
 * The same after the answer: waiting for it would reveal, by the time taken, that there is such an account. An entry that
 * can't be written is logged; one that a crash cuts off is lost. A process that stops waits for it.
 */
export function recordAnonymousSoon(...entry: Parameters<typeof recordAnonymous>): void {
  const written = nextTurn()
    .then(() => recordAnonymous(...entry))
    .catch((error: unknown) => logger().error({ err: error }, "a failed sign-in could not be recorded"))
    .finally(() => pending().delete(written));
  pending().add(written);
}

/** Resolves when all that was to be recorded soon has been. */
export const anonymousRecorded = async (): Promise<void> => void (await Promise.all(pending()));
