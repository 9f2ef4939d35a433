import { setImmediate as nextTurn } from "node:timers/promises";
import { listWorkspacesOf } from "#lib/auth/members/workspace-store";
import { once } from "#lib/context/once";
import { logger } from "#lib/observability/logger";
import { insertAudit } from "./audit-store.ts";

/** Records a failed sign-in in each workspace of the account; attempts at unknown accounts concern no workspace. */
export async function recordAnonymous(
  account: { id: string; email: string; name: string | null },
  action: "sign_in.failed" | "sign_in.locked" | "sign_in.rejected" | "sign_in.factor_rejected",
  after: Record<string, unknown>,
): Promise<void> {
  const who = { kind: "anonymous", id: null, name: account.email, credential: null } as const;
  const target = { kind: "account", id: account.id, name: account.email };
  for (const { id } of await listWorkspacesOf(account.id)) await insertAudit(id, { action, who, target, after });
}

/** By account, so that its entries stand in the order of the tries. */
const pending = (): Map<string, Promise<void>> => once("anonymous-entries", () => new Map());

/** Records after the response: waiting would reveal by timing that the account exists. A crash loses the entry, a stop waits for it. */
export function recordAnonymousSoon(...entry: Parameters<typeof recordAnonymous>): void {
  const [{ id }] = entry;
  const written = Promise.all([nextTurn(), pending().get(id)])
    .then(() => recordAnonymous(...entry))
    .catch((error: unknown) => logger().error({ err: error }, "a failed sign-in could not be recorded"))
    .finally(() => pending().get(id) === written && pending().delete(id));
  pending().set(id, written);
}

export const anonymousRecorded = async (): Promise<void> => void (await Promise.all(pending().values()));
