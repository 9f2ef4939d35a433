import { randomBytes } from "node:crypto";
import { type AlertMessage, composeMessage, composeTest } from "#lib/alerts/message/message";
import { holdOf, waitAfter } from "#lib/alerts/schedule";
import { type ClaimedMessage, claimMessage, recordSends, type SendResult } from "#lib/alerts/send-store";
import { findWorkspaceName } from "#lib/auth/members/workspace-list-store";
import { env } from "#lib/config/env";
import { STOP_LIMITS } from "#lib/installation/stop-limits";
import { logger } from "#lib/observability/logger";
import { deliverMessage } from "./deliver-message.ts";

/** This process among those that send. */
const sender = `als_${randomBytes(8).toString("hex")}`;

/** Channels that are sent to at once: one that hangs must not hold up the others. */
const AT_ONCE = 4;
/** What is in flight when the process stops has so long. Milliseconds. */
const STOP_MS = STOP_LIMITS.work - 1000;

/**
 * Sends what is due, channel by channel. Any number of processes may call it:
 * each channel has one sender at a time. What a process that died was sending
 * is sent again a minute later, and so is what takes too long when this one stops.
 *
 * @param stopping begins nothing more
 * @returns how many messages were tried
 */
export async function sendAlerts(stopping: AbortSignal = new AbortController().signal): Promise<number> {
  const giveUp = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const giveUpSoon = () => {
    timer = setTimeout(() => giveUp.abort(), STOP_MS);
  };
  stopping.addEventListener("abort", giveUpSoon, { once: true });
  try {
    const first = stopping.aborted ? null : await claimMessage(sender);
    if (!first) return 0;
    const goOn = () => sendWhileDue(stopping, giveUp.signal);
    const counts = await Promise.all([sendClaimed(first, giveUp.signal).then(goOn), ...Array.from({ length: AT_ONCE - 1 }, goOn)]);
    return counts.reduce((sum, count) => sum + count, 1);
  } finally {
    stopping.removeEventListener("abort", giveUpSoon);
    clearTimeout(timer);
  }
}

async function sendWhileDue(stopping: AbortSignal, giveUp: AbortSignal): Promise<number> {
  for (let count = 0; ; count += 1) {
    const claimed = stopping.aborted ? null : await claimMessage(sender);
    if (!claimed) return count;
    await sendClaimed(claimed, giveUp);
  }
}

/** Sends what waits for one channel, now. @returns false when nothing is due there, or another process sends it */
export async function sendOver(channelId: string): Promise<boolean> {
  const claimed = await claimMessage(sender, channelId);
  if (claimed) await sendClaimed(claimed, new AbortController().signal);
  return claimed !== null;
}

async function sendClaimed(claimed: ClaimedMessage, giveUp: AbortSignal): Promise<void> {
  const now = new Date();
  const delivered = await deliverMessage(claimed.channel, await messageOf(claimed, now), { now, giveUp });
  if (giveUp.aborted && !delivered.arrived) return; // nothing is known of it
  const { arrived, detail, retryAfterMs } = delivered;
  const sent = new Set(delivered.sentIds);
  const results: SendResult[] = claimed.test
    ? [{ id: claimed.test.id, arrived, waitMs: null }]
    : claimed.sends
        .filter(({ id, counts }) => counts || sent.has(id))
        .map(({ id, attempts }) => ({
          id,
          arrived: sent.has(id),
          waitMs: sent.has(id) ? null : waitAfter(attempts, retryAfterMs, Math.random()),
        }));
  await recordSends(sender, claimed.channel, results, { arrived, detail, holdMs: holdOf(retryAfterMs) });
  const { id, kind } = claimed.channel;
  if (arrived) logger().info({ channel: id, kind, alerts: claimed.sends.length }, "alerts were sent");
  else logger().warn({ channel: id, kind, reason: detail }, "alerts could not be sent");
}

async function messageOf({ channel, test, sends }: ClaimedMessage, now: Date): Promise<AlertMessage> {
  const { APP_URL } = env();
  const workspace = await findWorkspaceName(channel.workspaceId);
  return test ? composeTest(workspace, test.id, APP_URL, now) : composeMessage(workspace, sends, APP_URL, now);
}
