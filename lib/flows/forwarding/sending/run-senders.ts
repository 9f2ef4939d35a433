import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "#lib/db/notifications";
import { HeldBodies } from "#lib/forwarding/sender/held-bodies";
import { LEASE_MS, leaseDestinations, listLeased, releaseDestinations } from "#lib/forwarding/sender/sender-lease-store";
import { STOP_LIMITS } from "#lib/installation/stop-limits";
import { logger } from "#lib/observability/logger";
import { countAliveWorkers } from "#lib/processing/heartbeat-store";
import { systemClock, timeSince } from "#lib/time/clock";
import { DestinationSender, type SenderContext } from "./destination-sender.ts";
import { ResultWriter } from "./record-results.ts";

/** Interval of renewing leases, and of reading settings and due deliveries. */
const TICK_MS = 1000;
/** A lease is not relied on for its last second: clocks and the way to the database take their part. */
const LEASE_MARGIN_MS = 1000;
/** All bodies in this process that wait to be sent, or are being read. */
const MAX_HELD_BYTES = 80 * 1_048_576;
/** Time that requests in flight have when the worker stops; then they are given up and sent again later. */
const STOP_MS = STOP_LIMITS.work - 1000;

/** Sends to destinations. Any number of processes may run it: each destination has one sender, and a dead one is replaced within 10 s. */
export async function runSenders(signal: AbortSignal, round = () => {}): Promise<void> {
  const senders = new Senders();
  const stopListening = [listen("applied", (workspaceId) => senders.wake(workspaceId)), listen("destinations", () => senders.lookSoon())];
  try {
    while (!signal.aborted) {
      round();
      await senders.tick();
      round();
      await senders.rest(signal);
    }
  } finally {
    for (const stop of stopListening) stop();
    await senders.stop();
  }
}

class Senders {
  private readonly id = `snd_${randomBytes(8).toString("hex")}`;
  private readonly giveUp = new AbortController();
  private readonly context: SenderContext = {
    sender: this.id,
    writer: new ResultWriter(),
    held: new HeldBodies(MAX_HELD_BYTES),
    giveUp: this.giveUp.signal,
    random: Math.random,
    clock: systemClock,
  };
  private readonly senders = new Map<string, DestinationSender>();
  private readonly leaving = new Map<string, Promise<void>>();
  private bell = new AbortController();

  wake(workspaceId: string): void {
    for (const sender of this.senders.values()) if (workspaceId === "" || sender.workspaceId === workspaceId) sender.wake();
  }

  lookSoon(): void {
    this.bell.abort();
  }

  async rest(signal: AbortSignal): Promise<void> {
    await sleep(TICK_MS, undefined, { signal: AbortSignal.any([signal, this.bell.signal]) }).catch(() => undefined);
    if (this.bell.signal.aborted) this.bell = new AbortController();
  }

  /** Renews the leases, takes and gives up destinations, and wakes those with something due. */
  async tick(): Promise<void> {
    try {
      const workers = await countAliveWorkers();
      // Before the lease is requested, so that it never seems to last longer than it does.
      const passed = timeSince(systemClock);
      const isLeased = () => passed() < LEASE_MS - LEASE_MARGIN_MS;
      const { ids, taken, share } = await leaseDestinations(this.id, workers);
      const leased = await listLeased(ids.filter((id) => !this.leaving.has(id)));
      for (const destination of leased) {
        const sender = this.senders.get(destination.id) ?? new DestinationSender(destination, this.context);
        this.senders.set(destination.id, sender);
        if (taken.has(destination.id)) sender.beginAnew();
        sender.update(destination, isLeased);
      }
      const held = new Set(leased.map(({ id }) => id));
      for (const id of this.senders.keys()) if (!held.has(id)) this.leave(id);
      // Another worker has joined: it takes what is given up.
      for (const id of [...this.senders.keys()].slice(Math.max(share, 1))) this.leave(id);
    } catch (error) {
      logger().warn({ reason: (error as Error).message }, "can't look after the destinations; trying again");
    }
  }

  private leave(id: string): void {
    const sender = this.senders.get(id);
    if (!sender) return;
    this.senders.delete(id);
    const left = sender
      .stop()
      .then(() => releaseDestinations(this.id, [id]))
      .catch(() => undefined) // the lease ends by itself
      .finally(() => this.leaving.delete(id));
    this.leaving.set(id, left);
  }

  async stop(): Promise<void> {
    const timer = setTimeout(() => this.giveUp.abort(), STOP_MS);
    for (const id of [...this.senders.keys()]) this.leave(id);
    await Promise.all(this.leaving.values());
    clearTimeout(timer);
  }
}
