import type pg from "pg";
import { env } from "#lib/config/env";
import { forget, once } from "#lib/context/once";
import { logger } from "#lib/observability/logger";
import { inTime } from "#lib/time/waits";
import { connectionOptions, DatabaseClient } from "./client.ts";

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

const told = new WeakMap<pg.ClientBase, (() => void)[]>();

/** Notifies exactly at the commit, for rare changes that must not be lost. This process is told as the transaction ends, without a round trip. */
export async function notifyOnCommit(client: pg.ClientBase, channel: Channel, payload: string): Promise<void> {
  await client.query(NOTIFY, [`signalbox_${channel}`, payload]);
  told.set(client, [...(told.get(client) ?? []), () => dispatchHere(channel, payload)]);
}

/** Tells this process at the end of a transaction; after a rollback, too, where who looks again finds nothing new. */
export function dispatchTold(client: pg.ClientBase): void {
  for (const dispatch of told.get(client) ?? []) dispatch();
  told.delete(client);
}

/**
 * `rights`: a session ended or a permission changed. `destinations`: also deliveries asked for again. Payloads are workspace IDs or empty.
 * Nothing is only in a notification, so a lost one costs a little time and no data.
 */
export type Channel = "appended" | "applied" | "sources" | "rights" | "destinations";

const CHANNELS: Channel[] = ["appended", "applied", "sources", "rights", "destinations"];
const RECONNECT_MS = 1000;
/** The connection never sends on its own: with the limit on its answer, a ping finds a dead one within 15 s. */
const PING_MS = 10_000;
const ANSWER_MS = 4000;

type Listener = (payload: string) => void;

/** One LISTEN connection a process, reconnected for as long as somebody listens. */
class Listening {
  private readonly listeners: Record<Channel, Set<Listener>> = {
    appended: new Set(),
    applied: new Set(),
    sources: new Set(),
    rights: new Set(),
    destinations: new Set(),
  };
  private client: DatabaseClient | undefined;
  private connecting = false;
  private closed = false;

  subscribe(channel: Channel, listener: Listener): () => void {
    this.listeners[channel].add(listener);
    void this.connect();
    return () => this.listeners[channel].delete(listener);
  }

  private async connect(): Promise<void> {
    if (this.client || this.connecting || this.closed) return;
    this.connecting = true;
    const limits = { name: "signalbox-listen", statementMs: ANSWER_MS, connectMs: 5000 };
    const client = new DatabaseClient(connectionOptions(env().directUrl, limits));
    let ping: NodeJS.Timeout | undefined;
    const lost = () => {
      clearInterval(ping);
      if (this.client === client) this.client = undefined;
      if (!this.closed) setTimeout(() => void this.connect(), RECONNECT_MS).unref();
    };
    client.on("end", lost);
    client.on("notification", ({ channel, payload }) => this.dispatch(channel.replace("signalbox_", "") as Channel, payload ?? ""));
    try {
      await client.connect();
      for (const channel of CHANNELS) await client.query(`LISTEN signalbox_${channel}`);
      if (this.closed) return void (await client.end());
      this.client = client;
      ping = setInterval(() => void client.query("SELECT 1").catch(() => undefined), PING_MS); // without an answer the connection ends
      // Notifications missed while nobody listened are unknown: wake everyone once.
      for (const channel of CHANNELS) this.dispatch(channel, "");
    } catch (error) {
      logger().warn({ reason: (error as Error).message }, "can't listen to the database; trying again");
      await client.end().catch(() => undefined);
    } finally {
      this.connecting = false;
      if (!this.client && !this.closed) setTimeout(() => void this.connect(), RECONNECT_MS).unref();
    }
  }

  dispatch(channel: Channel, payload: string): void {
    for (const listener of this.listeners[channel] ?? []) listener(payload);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.client?.end().catch(() => undefined);
  }
}

const listening = (): Listening => once("listening", () => new Listening());

/** Calls `listener` on each notification, and after each reconnection with an empty payload. @returns a function that unsubscribes */
export function listen(channel: Channel, listener: Listener): () => void {
  return listening().subscribe(channel, listener);
}

/** Calls this process's listeners at once: a NOTIFY reaches them only after a round trip. */
export function dispatchHere(channel: Channel, payload: string): void {
  listening().dispatch(channel, payload);
}

export async function closeListening(): Promise<void> {
  await forget<Listening>("listening")?.close();
}
