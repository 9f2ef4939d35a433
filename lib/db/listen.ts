import pg from "pg";
import { env } from "#lib/config/env";
import { logger } from "#lib/observability/logger";

/**
 * `appended`: events were stored. `applied`: views changed. `sources`: a source
 * or a secret changed. `rights`: a session ended, or what somebody may do
 * changed. Payloads are workspace ids or empty; nothing is ever
 * only in a notification, so losing one costs a little time and no data.
 */
export type Channel = "appended" | "applied" | "sources" | "rights";

const CHANNELS: Channel[] = ["appended", "applied", "sources", "rights"];
const RECONNECT_MS = 1000;

type Listener = (payload: string) => void;

/** One LISTEN connection a process, shared by everyone in it, reconnected for as long as somebody listens. */
class Listening {
  private readonly listeners: Record<Channel, Set<Listener>> = {
    appended: new Set(),
    applied: new Set(),
    sources: new Set(),
    rights: new Set(),
  };
  private client: pg.Client | undefined;
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
    const client = new pg.Client({
      connectionString: env().DATABASE_URL,
      application_name: "signalbox-listen",
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    });
    const lost = () => {
      if (this.client === client) this.client = undefined;
      if (!this.closed) setTimeout(() => void this.connect(), RECONNECT_MS).unref();
    };
    client.on("error", () => undefined); // `end` follows
    client.on("end", lost);
    client.on("notification", ({ channel, payload }) => this.dispatch(channel.replace("signalbox_", "") as Channel, payload ?? ""));
    try {
      await client.connect();
      for (const channel of CHANNELS) await client.query(`LISTEN signalbox_${channel}`);
      this.client = client;
      // What was missed while nobody listened is unknown: wake everyone once.
      for (const channel of CHANNELS) this.dispatch(channel, "");
    } catch (error) {
      logger().warn({ reason: (error as Error).message }, "can't listen to the database; trying again");
      await client.end().catch(() => undefined);
    } finally {
      this.connecting = false;
      if (!this.client && !this.closed) setTimeout(() => void this.connect(), RECONNECT_MS).unref();
    }
  }

  private dispatch(channel: Channel, payload: string): void {
    for (const listener of this.listeners[channel] ?? []) listener(payload);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.client?.end().catch(() => undefined);
  }
}

const shared = globalThis as typeof globalThis & { signalboxListening?: Listening };

/**
 * Calls `listener` on every notification of the channel, from any process, and
 * once after each reconnection with an empty payload.
 *
 * @returns a function that ends the subscription
 */
export function listen(channel: Channel, listener: Listener): () => void {
  shared.signalboxListening ??= new Listening();
  return shared.signalboxListening.subscribe(channel, listener);
}

/** Ends the process's LISTEN connection. */
export async function closeListening(): Promise<void> {
  await shared.signalboxListening?.close();
  delete shared.signalboxListening;
}
