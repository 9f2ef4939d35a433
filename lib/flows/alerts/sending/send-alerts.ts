import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type AlertMessage, composeMessage, composeTest } from "#lib/alerts/message/message";
import { holdOf, waitAfter } from "#lib/alerts/schedule";
import { type ClaimedMessage, claimMessage, giveBack, leaveChannel, markSent } from "#lib/alerts/send-store";
import { findWorkspaceName } from "#lib/auth/members/workspace-store";
import { env } from "#lib/config/env";
import { STOP_LIMITS } from "#lib/installation/stop-limits";
import { logger } from "#lib/observability/logger";
import { type Clock, systemClock } from "#lib/time/clock";
import { deliverMessage } from "./deliver-message.ts";
import type { Delivered } from "./delivered.ts";

/** Returns an ID for each claim, also within a process, so that each notices when the other has taken over the channel. */
const newSender = () => `als_${randomBytes(8).toString("hex")}`;

type Claimed = ClaimedMessage & { sender: string };

async function claim(channelId: string | null = null): Promise<Claimed | null> {
  const sender = newSender();
  const claimed = await claimMessage(sender, channelId).catch(async (error: unknown) => {
    await leaveChannel(sender).catch(() => undefined); // the database is unavailable: the lease ends by itself
    throw error;
  });
  return claimed && { ...claimed, sender };
}

/** Channels that are sent to at once: one that hangs must not hold up the others. */
const AT_ONCE = 4;
/** Time that requests in flight have when the process stops. */
const STOP_MS = STOP_LIMITS.work - 1000;
const RECORD_TRIES = 5;
const RECORD_PAUSE_MS = 1000;

/** Sends what is due and returns how many messages were tried. Each channel has one sender at a time, over all processes:
 * what one that died had not recorded is sent again a minute later. */
export async function sendAlerts(stopping: AbortSignal = new AbortController().signal, clock = systemClock): Promise<number> {
  const giveUp = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const giveUpSoon = () => {
    timer = setTimeout(() => giveUp.abort(), STOP_MS);
  };
  stopping.addEventListener("abort", giveUpSoon, { once: true });
  try {
    const first = stopping.aborted ? null : await claim();
    if (!first) return 0;
    const goOn = () => sendWhileDue(stopping, giveUp.signal, clock);
    const counts = await Promise.all([
      sendClaimed(first, stopping, giveUp.signal, clock).then(goOn),
      ...Array.from({ length: AT_ONCE - 1 }, goOn),
    ]);
    return counts.reduce((sum, count) => sum + count, 1);
  } finally {
    stopping.removeEventListener("abort", giveUpSoon);
    clearTimeout(timer);
  }
}

async function sendWhileDue(stopping: AbortSignal, giveUp: AbortSignal, clock: Clock): Promise<number> {
  for (let count = 0; ; count += 1) {
    const claimed = stopping.aborted ? null : await claim();
    if (!claimed) return count;
    await sendClaimed(claimed, stopping, giveUp, clock);
  }
}

/** Sends what waits for one channel. Returns false when nothing is due, or another process sends it. */
export async function sendOver(channelId: string, clock = systemClock): Promise<boolean> {
  const claimed = await claim(channelId);
  const { signal } = new AbortController();
  if (claimed) await sendClaimed(claimed, signal, signal, clock);
  return claimed !== null;
}

async function sendClaimed(claimed: Claimed, stopping: AbortSignal, giveUp: AbortSignal, clock: Clock): Promise<void> {
  const { channel, sender } = claimed;
  const now = new Date(clock.now());
  const sent = new Set<number>();
  const onArrived = (ids: number[], detail: string) => {
    for (const id of ids) sent.add(id);
    return recordSent(sender, channel.id, ids, detail);
  };
  const { failure, untriedIds } = await deliverMessage(channel, await messageOf(claimed, now), { now, stopping, giveUp }, onArrived);
  if (giveUp.aborted && failure) return; // it is unknown whether it arrived
  const left = new Set(untriedIds);
  const counted = claimed.test ? [{ id: claimed.test.id, attempts: null }] : claimed.sends.filter(({ counts }) => counts);
  const failed = failure ? counted.filter(({ id }) => !sent.has(id) && !left.has(id)) : [];
  await giveBack(sender, channel, {
    failed: failed.map(({ id, attempts }) => ({ id, waitMs: waitOf(attempts, failure) })),
    untried: counted.filter(({ id }) => left.has(id)).map(({ id }) => id),
    failure: failure && { detail: failure.detail, holdMs: holdOf(failure.retryAfterMs) },
  });
  const { id, kind } = channel;
  if (sent.size > 0) logger().info({ channel: id, kind, alerts: sent.size }, "alerts were sent");
  if (failure) logger().warn({ channel: id, kind, reason: failure.detail }, "alerts could not be sent");
}

/** Returns null for a test: it is tried once. */
const waitOf = (attempts: number | null, failure: Delivered | null): number | null =>
  attempts === null ? null : waitAfter(attempts, failure?.retryAfterMs ?? null, Math.random());

/** Retries while the database is unavailable: what is not recorded is sent again. */
async function recordSent(sender: string, channelId: string, ids: number[], detail: string): Promise<boolean> {
  for (let left = RECORD_TRIES; ; left -= 1) {
    try {
      return await markSent(sender, channelId, ids, detail);
    } catch (error) {
      if (left <= 1) throw error;
      await sleep(RECORD_PAUSE_MS);
    }
  }
}

async function messageOf({ channel, test, sends }: ClaimedMessage, now: Date): Promise<AlertMessage> {
  const { APP_URL } = env();
  const workspace = await findWorkspaceName(channel.workspaceId);
  return test ? composeTest(workspace, test.id, APP_URL, now) : composeMessage(workspace, sends, APP_URL, now);
}
