import type pg from "pg";
import { inTime } from "#lib/time/in-time";
import { type Channel, dispatchHere } from "./listen.ts";

const GATHER_MS = 20;
/** A closing pool waits this long: notifications are hints, and the database may be away. */
const FLUSH_MS = 1000;

type Sending = { timer: NodeJS.Timeout; send: () => Promise<void> };
const waiting = new WeakMap<pg.Pool, Map<string, Sending>>();

const NOTIFY = "SELECT pg_notify($1, $2)";

/** Notifies soon: repeats within 20 ms become one, sent outside any transaction (inside, pg_notify makes all commits queue up). */
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

/** Sends what `notifySoon` holds back, so that ending a pool loses none of it. */
export async function flushNotifications(from: pg.Pool): Promise<void> {
  const pending = [...(waiting.get(from)?.values() ?? [])];
  if (pending.length === 0) return;
  for (const { timer } of pending) clearTimeout(timer);
  await inTime(Promise.all(pending.map(({ send }) => send())), FLUSH_MS, () => undefined);
}

/** Notifies exactly at the commit, for rare changes that must not be lost. @returns what to call afterwards, to skip the round trip here */
export async function notifyOnCommit(client: pg.PoolClient, channel: Channel, payload: string): Promise<() => void> {
  await client.query(NOTIFY, [`signalbox_${channel}`, payload]);
  return () => dispatchHere(channel, payload);
}
