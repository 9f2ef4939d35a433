import { type Alert, type CreatedAlertChannel, createAlertChannelBody } from "#lib/contracts/alerts";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { createAlertChannel } from "#lib/flows/alerts/manage-channels";
import { readAlerts } from "#lib/flows/alerts/read-alerts";
import { sendAlerts } from "#lib/flows/alerts/send-alerts";
import { type WatchRound, watchAlerts } from "#lib/flows/alerts/watch-alerts";
import { asOwner } from "../forwarding/destinations.ts";
import type { startTarget } from "../forwarding/target.ts";
import { makeWorkspace } from "../webhooks.ts";

/** Adds a channel as the form does. */
export const makeChannel = (workspaceId: WorkspaceId, settings: Record<string, unknown>): Promise<CreatedAlertChannel> =>
  createAlertChannel(asOwner(workspaceId), createAlertChannelBody.parse({ name: "On call", ...settings }));

/** A workspace with a channel to a target of its own. @param start starts that target, as `useTargets` gives it */
export async function withChannel(start: typeof startTarget, settings: Record<string, unknown>, ...answer: Parameters<typeof startTarget>) {
  const { workspaceId, source } = await makeWorkspace();
  const { url, received } = await start(...answer);
  const { id } = await makeChannel(workspaceId, { url, ...settings });
  return { workspaceId, source, url, received, id };
}

/** A round of the watch over all rules, while a worker is alive. */
export const watch = (round: Partial<WatchRound> = {}): Promise<void> => watchAlerts({ slow: true, workerSilentMs: 0, ...round });

/** Lets the minute in which messages are gathered pass, and sends. @returns how many messages were tried */
export async function sendDue(): Promise<number> {
  await pool().query("UPDATE alert_sends SET due_at = now() - interval '1 ms' WHERE state = 'pending'");
  return sendAlerts();
}

/** The workspace's alerts, the newest first. */
export const alertsOf = async (workspaceId: WorkspaceId): Promise<Alert[]> => (await readAlerts(workspaceId, {}, { limit: 200 })).data;

/** A connection of a name that must be told as it is, lost or working. */
export async function setConnection(workspaceId: WorkspaceId, state: string, name = "Acme <Docs> & *Co*"): Promise<void> {
  await pool().query(
    `INSERT INTO connections (id, workspace_id, name, state, required_scopes, granted_scopes) VALUES ($1, $1, $2, $3, '{}', '{}')
     ON CONFLICT (id) DO UPDATE SET state = excluded.state`,
    [workspaceId, name, state],
  );
  await watch();
}
