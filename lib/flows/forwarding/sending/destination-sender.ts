import { setTimeout as sleep } from "node:timers/promises";
import { requestHeaders } from "#lib/forwarding/attempt/request-headers";
import { sendAttempt } from "#lib/forwarding/attempt/send-attempt";
import { TargetConnection } from "#lib/forwarding/attempt/target-connection";
import { publicDeliveryId } from "#lib/forwarding/delivery-id";
import { openSigningSecrets } from "#lib/forwarding/destination-secret-store";
import { type DueDelivery, findDue, findDueHeads } from "#lib/forwarding/sender/due-delivery-store";
import type { DeliveryResult } from "#lib/forwarding/sender/result-store";
import type { LeasedDestination } from "#lib/forwarding/sender/sender-lease-store";
import { readTargetUrl } from "#lib/forwarding/target/target-url";
import { logger } from "#lib/observability/logger";
import { findOldestWaiting } from "#lib/processing/waiting-store";
import { nextState } from "./next-state.ts";
import { RateLimit } from "./rate-limit.ts";
import type { StateChange } from "./record-issues.ts";
import type { ResultWriter } from "./result-writer.ts";
import { beginSend } from "./trace-send.ts";

/** Secrets that were opened are used for so long, so that a rotation and its end take effect. Milliseconds. */
const SECRETS_FRESH_MS = 2000;

/** What is read ahead of the requests at once. */
const READ_AHEAD = 4;
const MOST_READ = 200;
/** So many results may wait to be recorded: a process that dies sends them again. Where the database is away, nothing more is sent. */
const MOST_UNRECORDED = 20;

/** What all senders of a process share. */
export type SenderContext = {
  writer: ResultWriter;
  /** Bytes of bodies that are held in memory now, all destinations together. */
  held: { bytes: number; readonly most: number };
  /** Aborted when the requests in flight are given up. */
  giveUp: AbortSignal;
  random: () => number;
};

/**
 * Sends to one destination, of which this process holds the lease: reads what is
 * due, keeps concurrency, rate and order, and hands every result to the writer.
 */
export class DestinationSender {
  private destination: LeasedDestination;
  private readonly context: SenderContext;
  private readonly idle: TargetConnection[] = [];
  /** Deliveries that are being sent, or whose result is being recorded. */
  private readonly inFlight = new Map<number, Promise<void>>();
  private sending = 0;
  /** The last attempt failed: nothing is sent ahead of what the breaker will say of it. */
  private isFailing = false;
  private readonly subjects = new Set<string>();
  private readonly rate = new RateLimit();
  private queue: DueDelivery[] = [];
  private secrets: { values: string[]; at: number } | null = null;
  private lastSubject = "";
  private leasedUntil = 0;
  private stopped = false;
  private looking = false;
  private lookAgain = false;
  /** Something may be due that was not read yet. */
  private asked = true;
  private timer: NodeJS.Timeout | undefined;

  constructor(destination: LeasedDestination, context: SenderContext) {
    this.destination = destination;
    this.context = context;
  }

  get workspaceId(): string {
    return this.destination.workspaceId;
  }

  get isIdle(): boolean {
    return this.inFlight.size === 0;
  }

  /** Takes the present settings. @param leasedUntil by performance.now() */
  update(destination: LeasedDestination, leasedUntil: number): void {
    this.leasedUntil = leasedUntil;
    if (destination.url !== this.destination.url) for (const connection of this.idle.splice(0)) connection.close();
    if (destination.state !== this.destination.state || destination.ordered !== this.destination.ordered) this.dropQueue();
    this.destination = destination;
    if (destination.isDue) this.wake();
  }

  /** Looks at what is due. Cheap to call often: looks never overlap. */
  wake(): void {
    this.asked = true;
    this.advance();
  }

  /** Goes on with what was read, and reads on where more may wait. */
  private advance(): void {
    this.lookAgain = true;
    if (this.looking || this.stopped) return;
    this.looking = true;
    void this.look().finally(() => {
      this.looking = false;
      if (this.lookAgain) this.advance();
    });
  }

  /** Begins nothing more. @returns a promise that settles when what is in flight has ended and is recorded */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    this.dropQueue();
    await Promise.allSettled(this.inFlight.values());
    for (const connection of this.idle.splice(0)) connection.close();
  }

  private get mayBegin(): boolean {
    return !this.stopped && this.destination.state !== "paused" && performance.now() < this.leasedUntil;
  }

  private get isProbing(): boolean {
    return this.destination.state === "suspended";
  }

  /** What was read runs out. In order, a subject's next delivery shows only when the one before it is recorded. */
  private get isLow(): boolean {
    const { ordered, concurrency } = this.destination;
    return this.queue.length === 0 || (!ordered && !this.isProbing && this.queue.length < concurrency);
  }

  private async look(): Promise<void> {
    this.lookAgain = false;
    try {
      this.begin();
      if (this.mayBegin && this.asked && this.isLow) await this.refill();
      this.begin();
    } catch (error) {
      logger().warn({ destination: this.destination.id, reason: (error as Error).message }, "can't read what is due; trying again");
      this.wakeIn(1000);
    }
  }

  private async refill(): Promise<void> {
    const { held } = this.context;
    if (held.bytes > held.most) return this.wakeIn(100);
    const { id, state, ordered, concurrency, isDue } = this.destination;
    if (this.isProbing && !(isDue && this.inFlight.size === 0)) return;
    this.asked = false;
    const limit = this.isProbing ? 1 : Math.min(concurrency * READ_AHEAD, MOST_READ);
    const known = new Set([...this.inFlight.keys(), ...this.queue.map((each) => each.id)]);
    const request = { destinationId: id, limit, except: [...known], evenIfNotDue: this.isProbing };
    const found = ordered ? await this.findHeads(request) : await findDue(request);
    if (found.length > 0) this.secrets = await this.freshSecrets();
    if (!this.mayBegin || this.destination.state !== state || this.destination.ordered !== ordered) return;
    if (this.isProbing) this.destination = { ...this.destination, isDue: false };
    else if (found.length > 0) this.asked = true;
    // What ended while they were read stands among them still: it was excluded, so nothing of it comes back.
    const fresh = found.filter((each) => !this.inFlight.has(each.id) && !(ordered && this.subjects.has(each.subject)));
    this.queue.push(...fresh);
    for (const { body } of fresh) held.bytes += body.length;
  }

  private async findHeads(request: Parameters<typeof findDueHeads>[0]): Promise<DueDelivery[]> {
    const before = await findOldestWaiting(this.destination.workspaceId);
    let found = await findDueHeads(request, this.lastSubject, before);
    if (found.length === 0 && this.lastSubject !== "") found = await findDueHeads(request, "", before);
    this.lastSubject = found.at(-1)?.subject ?? "";
    return found;
  }

  private async freshSecrets(): Promise<{ values: string[]; at: number }> {
    const { id, workspaceId, mode } = this.destination;
    if (mode !== "signed") return { values: [], at: performance.now() };
    if (this.secrets && performance.now() - this.secrets.at < SECRETS_FRESH_MS) return this.secrets;
    const values = await openSigningSecrets(workspaceId, id);
    if (values.length === 0) throw new Error("it has no signing secret: rotate it");
    return { values, at: performance.now() };
  }

  private begin(): void {
    const most = this.isProbing ? 1 : this.destination.concurrency;
    const mostUnrecorded = this.isFailing || this.isProbing ? 0 : MOST_UNRECORDED;
    while (this.mayBegin && this.queue.length > 0 && this.sending < most && this.inFlight.size < most + mostUnrecorded) {
      const wait = this.rate.take(this.destination.rate);
      if (wait > 0) {
        this.wakeIn(wait);
        return;
      }
      const delivery = this.queue.shift();
      if (!delivery) return;
      this.subjects.add(delivery.subject);
      this.inFlight.set(delivery.id, this.work(delivery, this.isProbing));
    }
  }

  private async work(delivery: DueDelivery, probe: boolean): Promise<void> {
    try {
      const result = await this.send(delivery, probe);
      if (result) this.apply(await this.context.writer.write(result));
    } catch (error) {
      logger().error({ destination: this.destination.id, err: error }, "an attempt ended unexpectedly");
      await sleep(1000);
    } finally {
      this.inFlight.delete(delivery.id);
      this.subjects.delete(delivery.subject);
      this.context.held.bytes -= delivery.body.length;
      if (this.destination.ordered) this.wake();
      else this.advance();
    }
  }

  /** The breaker opened or closed: known here at once, not at the next look at the settings. */
  private apply(change: StateChange | null): void {
    if (change === null || this.destination.state === change.to) return;
    this.dropQueue();
    this.destination = { ...this.destination, state: change.to, isDue: false };
  }

  /** @returns null when it was given up */
  private async send(delivery: DueDelivery, probe: boolean): Promise<DeliveryResult | null> {
    const { id: destinationId, workspaceId, url, mode } = this.destination;
    const number = delivery.tries + 1;
    const event = { ...delivery, deliveryId: publicDeliveryId(delivery.id), number };
    const attempt = beginSend(this.destination, delivery, number);
    const headers = { ...requestHeaders(event, mode, this.secrets?.values ?? [], new Date()), ...attempt?.headers };
    const read = readTargetUrl(url);
    if (!read.ok) throw new Error("the stored URL can't be read");
    const connection = this.idle.pop() ?? new TargetConnection(read.target);
    this.sending += 1;
    const request = { path: read.target.path, headers, body: delivery.body };
    const result = await sendAttempt(connection, request, this.context.giveUp).finally(() => {
      this.sending -= 1;
    });
    attempt?.end(result);
    if (result?.answer && this.destination.url === url && !this.stopped) this.idle.push(connection);
    else connection.close();
    if (result === null) return null;
    this.isFailing = result.outcome !== "delivered";
    this.advance();
    const next = nextState(delivery.attempts, result, probe, this.context.random);
    return { workspaceId, destinationId, deliveryId: delivery.id, number, url, probe, result, next };
  }

  private dropQueue(): void {
    for (const { body } of this.queue.splice(0)) this.context.held.bytes -= body.length;
  }

  private wakeIn(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), ms);
  }
}
