import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import type { ConnectionDetail } from "#lib/contracts/connections";
import { systemClock } from "#lib/time/clock";
import { readConnection } from "./read-connection.ts";
import { refreshAndWait } from "./tokens/refresh-connection.ts";

/** Renews on request; a renewal since `askedAt` is enough. @throws AppError `not_found`; `conflict` when only a new grant can renew it */
export async function renewConnection(
  workspaceId: WorkspaceId,
  id: ConnectionId,
  askedAt: Date,
  audit: Audit,
  clock = systemClock,
): Promise<ConnectionDetail | null> {
  const before = await readConnection(workspaceId, id, askedAt);
  if (!before) throw new AppError("not_found", "There is no connection with that ID.");
  const { outcome } = await refreshAndWait(workspaceId, id, askedAt, clock);
  if (outcome === "not_renewable") throw new AppError("conflict", `${before.sentence} It can't be renewed: reconnect it.`);
  const after = await readConnection(workspaceId, id, new Date(clock.now()));
  const target = { kind: "connection", id, name: before.name };
  const action = outcome === "refreshed" || outcome === "superseded" ? "connection.renewed" : "connection.renewal_failed";
  await audit.record({ action, target, before: valuesOf(before), after: { ...valuesOf(after), outcome } });
  return after;
}

const valuesOf = (connection: ConnectionDetail | null) => ({
  state: connection?.state ?? null,
  accessExpiresAt: connection?.accessExpiresAt ?? null,
  problem: connection?.problem?.code ?? null,
});
