import { setTimeout as sleep } from "node:timers/promises";
import { insertTest } from "#lib/alerts/notification-store";
import { findSend } from "#lib/alerts/send-store";
import type { Actor } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import type { AlertChannelTest } from "#lib/contracts/alerts/channels";
import { inTransaction, pool } from "#lib/db/pool";
import { getAlertChannel } from "./read-alerts.ts";
import { sendOver } from "./sending/send-alerts.ts";

/** A worker that is just sending over the channel takes the test next. Milliseconds. */
const WAIT_MS = 25_000;
const LOOK_MS = 200;

/**
 * Sends a test message the way an alert goes: a row, a sender that claims it,
 * an attempt, an outcome. It is tried once.
 *
 * @throws AppError `not_found`
 */
export async function testAlertChannel(actor: Actor, id: string, audit: Audit): Promise<AlertChannelTest> {
  const { name } = await getAlertChannel(actor.workspaceId, id);
  const sendId = await inTransaction(pool(), (client) => insertTest(client, actor.workspaceId, id));
  const result = await outcomeOf(id, sendId);
  await audit.record({ action: "alert_channel.tested", target: { kind: "alert_channel", id, name }, after: { arrived: result.arrived } });
  return result;
}

async function outcomeOf(channelId: string, sendId: number): Promise<AlertChannelTest> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const send = await findSend(sendId);
    if (send && send.state !== "pending") return { arrived: send.state === "sent", detail: send.outcome ?? "" };
    if (performance.now() > end)
      return { arrived: false, detail: "Other messages are being sent over this channel. The test follows them." };
    if (!(await sendOver(channelId))) await sleep(LOOK_MS);
  }
}
