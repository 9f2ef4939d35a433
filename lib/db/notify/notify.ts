import type pg from "pg";
import { inTime } from "#lib/time/in-time";
import { type Channel, dispatchHere } from "./listen.ts";

const GATHER_MS = 20;
/** Time that the end of a pool waits for notifications to be sent: they are hints, and the database may be away. */
const FLUSH_MS = 1000;

type Sending = { timer: NodeJS.Timeout; send: () => Promise<void> };
const waiting = new WeakMap<pg.Pool, Map<string, Sending>>();

const NOTIFY = "SELECT pg_notify($1, $2)";

/**
 * Tells every listening process that something happened, soon: notifications
 * to the same channel and workspace within 20 ms become one, sent outside any
 * transaction (inside one, pg_notify makes all commits queue up).
 *
 * @param payload a workspace id, or empty
 */
export function notifySoon(from: pg.Pool, channel: Channel, payload: string): void {
  const pending = waiting.get(from) ?? new Map<string, Sending>();
  waiting.set(from, pending);
  const key = `${channel} ${payload}`;
  if (pending.has(key)) return;
  const send = async () => {
    pending.delete(key);
    await from.query(NOTIFY, [`signalbox_${channel}`, payload]).catch(() => undefined); // a hint, see Channel
  };
  pending.set(key, { timer: setTimeout(() => void send(), GATHER_MS), send });
}

/** Sends now what `notifySoon` still holds back, so that a process that ends its pool loses none of it. */
export async function flushNotifications(from: pg.Pool): Promise<void> {
  const pending = [...(waiting.get(from)?.values() ?? [])];
  if (pending.length === 0) return;
  for (const { timer } of pending) clearTimeout(timer);
  await inTime(Promise.all(pending.map(({ send }) => send())), FLUSH_MS, () => undefined);
}

/**
 * Notifies every listening process exactly when the transaction commits. For
 * changes that are rare and must be known at once: it can't be lost between
 * the commit and the end of a short-lived process.
 *
 * @returns what to call after the commit: it tells this process without the round trip
 */
export async function notifyOnCommit(client: pg.PoolClient, channel: Channel, payload: string): Promise<() => void> {
  await client.query(NOTIFY, [`signalbox_${channel}`, payload]);
  return () => dispatchHere(channel, payload);
}
