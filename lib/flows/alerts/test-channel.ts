import { setTimeout as sleep } from "node:timers/promises";
import { durationWords } from "#lib/alerts/message/duration";
import { insertTest } from "#lib/alerts/notification-store";
import { findSend } from "#lib/alerts/send-store";
import { claimTest, forgetRecipients, type TestLimit } from "#lib/alerts/test-limit-store";
import { type Actor, callerIdOf } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { filterMembers } from "#lib/auth/members/user-store";
import type { AlertChannelTest } from "#lib/contracts/alerts/channels";
import { AppError } from "#lib/contracts/api/app-error";
import { inTransaction, pool } from "#lib/db/pool";
import { getAlertChannel } from "./read-alerts.ts";
import { sendOver } from "./sending/send-alerts.ts";

/** A worker that is sending over the channel takes the test next. */
const WAIT_MS = 25_000;
const LOOK_MS = 200;

/** Sends a test through the queue like an alert, but tries it once. @throws AppError `not_found`; `too_many_requests` */
export async function testAlertChannel(
  actor: Actor,
  id: string,
  audit: Audit,
  { now, waitMs = WAIT_MS }: { now: Date; waitMs?: number },
): Promise<AlertChannelTest> {
  const { name, recipients } = await getAlertChannel(actor.workspaceId, id);
  const members = await filterMembers(actor.workspaceId, recipients);
  const sendId = await inTransaction(pool(), async (client) => {
    const asked = { channelId: id, askedBy: callerIdOf(actor), recipients, members };
    const test = { sendId: await insertTest(client, actor.workspaceId, id), ...asked };
    const limit = await claimTest(client, actor.workspaceId, test, now);
    if (limit) throw tooMany(limit, now);
    return test.sendId;
  });
  const { state, detail } = await outcomeOf(id, sendId, waitMs);
  const arrived = state === "sent";
  // A test that is still pending may arrive, so it keeps counting against its addresses.
  if (state === "failed") await forgetRecipients(sendId);
  const after = state === "pending" ? { pending: true } : { arrived };
  await audit.record({ action: "alert_channel.tested", target: { kind: "alert_channel", id, name }, after });
  return { arrived, detail };
}

function tooMany({ what, most, address, until }: TestLimit, now: Date): AppError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  const words = {
    person: `You sent ${most} test messages in the last 10 minutes.`,
    channel: `${most} test messages were sent over this channel in the last 10 minutes.`,
    address: `${address} received ${most} test messages in the last hour.`,
    other: `${address} received a test message in the last 24 hours. An address that belongs to no member can receive one a day.`,
    others: `This workspace sent test messages to ${most} addresses that belong to no member in the last 24 hours.`,
  }[what];
  return new AppError("too_many_requests", `${words} Try again in ${durationWords(1000 * seconds)}.`, { retryAfterSeconds: seconds });
}

async function outcomeOf(channelId: string, sendId: number, waitMs: number): Promise<{ state: string; detail: string }> {
  const end = performance.now() + waitMs;
  for (;;) {
    const send = await findSend(sendId);
    if (send && send.state !== "pending") return { state: send.state, detail: send.outcome ?? "" };
    if (performance.now() > end)
      return { state: "pending", detail: "Other messages are being sent over this channel. The test message is sent after them." };
    if (!(await sendOver(channelId))) await sleep(LOOK_MS);
  }
}
