import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { openChannel } from "#lib/alerts/alert-settings-store";
import { type AlertMessage, composeMessage, composeTest, partOf } from "#lib/alerts/message";
import {
  type ClaimedChannel,
  type ClaimedMessage,
  claimMessage,
  giveBack,
  leaveChannel,
  markSent,
  renewLease,
} from "#lib/alerts/notification-store";
import { findWorkspaceName } from "#lib/auth/members/workspace-store";
import { env } from "#lib/config/env";
import { STOP_LIMITS } from "#lib/installation/stop-limits";
import { logger } from "#lib/observability/logger";
import { systemClock } from "#lib/time/clock";
import { MAX_WAIT_MS, retryWait } from "#lib/time/waits";
import { channelTypeOf, type Delivered } from "./channels.ts";

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
export async function sendAlerts(stopping: AbortSignal = new AbortController().signal): Promise<number> {
  const giveUp = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const giveUpSoon = () => {
    timer = setTimeout(() => giveUp.abort(), STOP_MS);
  };
  stopping.addEventListener("abort", giveUpSoon, { once: true });
  try {
    const first = stopping.aborted ? null : await claim();
    if (!first) return 0;
    const goOn = () => sendWhileDue(stopping, giveUp.signal);
    const counts = await Promise.all([
      sendClaimed(first, stopping, giveUp.signal).then(goOn),
      ...Array.from({ length: AT_ONCE - 1 }, goOn),
    ]);
    return counts.reduce((sum, count) => sum + count, 1);
  } finally {
    stopping.removeEventListener("abort", giveUpSoon);
    clearTimeout(timer);
  }
}

async function sendWhileDue(stopping: AbortSignal, giveUp: AbortSignal): Promise<number> {
  for (let count = 0; ; count += 1) {
    const claimed = stopping.aborted ? null : await claim();
    if (!claimed) return count;
    await sendClaimed(claimed, stopping, giveUp);
  }
}

/** Sends what waits for one channel. Returns false when nothing is due, or another process sends it. */
export async function sendOver(channelId: string): Promise<boolean> {
  const claimed = await claim(channelId);
  const { signal } = new AbortController();
  if (claimed) await sendClaimed(claimed, signal, signal);
  return claimed !== null;
}

async function sendClaimed(claimed: Claimed, stopping: AbortSignal, giveUp: AbortSignal): Promise<void> {
  const { channel, sender } = claimed;
  const now = new Date(systemClock.now());
  const sent = new Set<number>();
  const progress: Progress = {
    onArrived: (ids, detail) => {
      for (const id of ids) sent.add(id);
      return recordSent(sender, channel.id, ids, detail);
    },
    onSplit: () => renewLease(sender, channel.id),
  };
  const { failure, untriedIds } = await deliverMessage(channel, await messageOf(claimed, now), { now, stopping, giveUp }, progress);
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

/** Limits the requests of a message that takes several, so that graver alerts that came up meanwhile go next. */
const MAX_REQUESTS = 20;
/** A channel that rejects this many alerts of one message would reject them all. */
const MAX_REFUSALS = 3;

/** `stopping` begins no other request. `giveUp` ends the one in flight: whether it arrived is then unknown. */
type Attempt = { now: Date; stopping: AbortSignal; giveUp: AbortSignal };

/** Each returns false when another process sends the rest. */
type Progress = { onArrived: (sendIds: number[], detail: string) => Promise<boolean>; onSplit: () => Promise<boolean> };

/** `failure`: of the part that did not arrive. `untriedIds`: not attempted, and still due. */
type Outcome = { failure: Delivered | null; untriedIds: number[] };

/**
 * Sends a message in as many requests as its kind needs. What is rejected is sent in halves: it may be too large, or hold one alert that the other
 * side can't read. Each arrival is recorded at once, and not sent again if the rest fails.
 */
async function deliverMessage(channel: ClaimedChannel, message: AlertMessage, attempt: Attempt, progress: Progress): Promise<Outcome> {
  const type = channelTypeOf(channel.kind);
  if (!type) return { failure: failed(unknownKind(channel.kind)), untriedIds: [] };
  const opened = await openAddress(channel);
  if ("failure" in opened) return { failure: opened.failure, untriedIds: [] };
  const waiting = [message];
  let failure: Delivered | null = null;
  for (let requests = 0, refusals = 0; ; requests += 1) {
    const part = requests < MAX_REQUESTS && !attempt.stopping.aborted ? nextPart(waiting, type.fits) : undefined;
    if (!part) return { failure, untriedIds: idsOf(waiting) };
    const delivered = await type.deliver({ channel, message: part, ...opened, ...attempt });
    if (delivered.arrived) {
      if (!(await progress.onArrived(idsOf([part]), delivered.detail))) return { failure, untriedIds: idsOf(waiting) };
    } else if (delivered.refused && part.lines.length > 1) {
      waiting.unshift(...halvesOf(part));
      if (!(await progress.onSplit())) return { failure, untriedIds: idsOf(waiting) };
    } else {
      failure = delivered;
      refusals += 1;
      if (!delivered.refused || refusals >= MAX_REFUSALS) return { failure, untriedIds: [] };
    }
  }
}

function nextPart(waiting: AlertMessage[], fits: (message: AlertMessage) => boolean): AlertMessage | undefined {
  const part = waiting.shift();
  if (!part || part.lines.length === 1 || fits(part)) return part;
  waiting.unshift(...halvesOf(part));
  return nextPart(waiting, fits);
}

function halvesOf(message: AlertMessage): AlertMessage[] {
  const half = Math.ceil(message.lines.length / 2);
  return [message.lines.slice(0, half), message.lines.slice(half)].map((lines) => partOf(message, lines));
}

const idsOf = (parts: AlertMessage[]) => parts.flatMap(({ lines }) => lines.flatMap(({ sendIds }) => sendIds));

async function openAddress({ workspaceId, id }: ClaimedChannel): Promise<{ target: string; secret: string } | { failure: Delivered }> {
  try {
    return await openChannel(workspaceId, id);
  } catch (error) {
    return { failure: failed((error as Error).message) };
  }
}

const unknownKind = (kind: string) =>
  `This version of Signalbox does not support channels of the kind “${kind}”. Update Signalbox, or delete the channel.`;

const failed = (detail: string): Delivered => ({ arrived: false, detail, retryAfterMs: null });

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Short waits first, because a late alert helps less. */
const SCHEDULE_MS = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR] as const;

/** Returns the wait in ms; null after the last attempt. @param attempts this one included @param random 0 to 1, for ±20% jitter */
function waitAfter(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const base = SCHEDULE_MS[attempts - 1];
  return base === undefined ? null : retryWait(base, retryAfterMs, random);
}

/** Returns how long the channel asked to be left alone, at most a day, in ms; null for not at all. */
const holdOf = (retryAfterMs: number | null): number | null =>
  retryAfterMs === null ? null : Math.min(Math.max(retryAfterMs, 0), MAX_WAIT_MS);
