import type { Actor } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { inTransaction, pool } from "#lib/db/pool";
import { saveDismissal } from "#lib/outages/outage-minute-store";

const MINUTE_MS = 60_000;

/** Dismisses the outages that ended by then: the overview shows them no more. */
export async function dismissOutages({ workspaceId }: Actor, until: Date, now: Date, audit: Audit): Promise<void> {
  const ended = new Date(Math.min(until.getTime(), now.getTime() + MINUTE_MS));
  await inTransaction(pool(), async (client) => {
    if (!(await saveDismissal(client, workspaceId, ended))) return audit.unchanged();
    const target = { kind: "outages", id: ended.toISOString(), name: "Outages" };
    await audit.record({ action: "outages.dismissed", target, after: { until: ended.toISOString() } }, client);
  });
}
