import { setTimeout as sleep } from "node:timers/promises";
import { requestHeaders } from "#lib/forwarding/attempt/request-headers";
import { sendAttempt } from "#lib/forwarding/attempt/send-attempt";
import { TargetConnection } from "#lib/forwarding/attempt/target-connection";
import { publicDeliveryId } from "#lib/forwarding/delivery-id";
import { type DueDelivery, type DueRequest, findDue } from "#lib/forwarding/sender/due-delivery-store";
import type { HeldBodies } from "#lib/forwarding/sender/held-bodies";
import type { DeliveryResult } from "#lib/forwarding/sender/result-store";
import type { LeasedDestination } from "#lib/forwarding/sender/sender-lease-store";
import { type Signing, SigningSecrets } from "#lib/forwarding/sender/signing-secrets";
import { SubjectWalk } from "#lib/forwarding/sender/subject-walk";
import { readTargetUrl } from "#lib/forwarding/target/target-url";
import { logger } from "#lib/observability/logger";
import { findOldestWaiting } from "#lib/processing/waiting-store";
import { nextState } from "./next-state.ts";
import { RateLimit } from "./rate-limit.ts";
import type { StateChange } from "./record-issues.ts";
import type { ResultWriter } from "./result-writer.ts";
import { beginSend } from "./trace-send.ts";

/** What is read ahead of the requests at once. */
const READ_AHEAD = 4;
const MOST_READ = 200;
/** So many results may wait to be recorded: a process that dies sends them again. Where the database is away, nothing more is sent. */
const MOST_UNRECORDED = 20;

/** What all senders of a process share. */
export type SenderContext = {
  writer: ResultWriter;
  /** The bodies that are in memory now, all destinations together. */
  held: HeldBodies;
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
  /** Probed since the suspension: an application that refuses one delivery for ever may take another. */
  private readonly probed = new Set<number>();
  private readonly rate = new RateLimit();
  private queue: DueDelivery[] = [];
  private readonly secrets = new SigningSecrets();
  private readonly walk = new SubjectWalk();
  private leasedUntil = 0;
  private stopped = false;
  private looking = false;
  private lookAgain = false;
  /** Something may be due that was not read yet. */
  private asked = true;
  private timer: NodeJS.Timeout | undefined;
  private readonly whenRoom = () => this.wake();

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
    const { state, ordered, mode } = this.destination;
    if (destination.state !== state || destination.ordered !== ordered || destination.mode !== mode) this.beginAnew();
    this.secrets.forget();
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
      await this.begin();
      if (this.mayBegin && this.asked && this.isLow) await this.refill();
      await this.begin();
    } catch (error) {
      // What can't be signed now is read again: it takes no room from other destinations.
      this.dropQueue();
      logger().warn({ destination: this.destination.id, reason: (error as Error).message }, "can't read what is due; trying again");
      this.wakeIn(1000);
    }
  }

  private async refill(): Promise<void> {
    const { state, ordered, isDue } = this.destination;
    if (this.isProbing && !(isDue && this.inFlight.size === 0)) return;
    if (!this.context.held.reserve(this.whenRoom)) return;
    this.asked = false;
    let fresh: DueDelivery[] = [];
    try {
      const found = await this.find(this.nextRequest());
      if (!this.mayBegin || this.destination.state !== state || this.destination.ordered !== ordered) return;
      if (this.isProbing) this.destination = { ...this.destination, isDue: false };
      else if (found.length > 0) this.asked = true;
      // What ended while they were read stands among them still: it was excluded, so nothing of it comes back.
      fresh = found.filter((each) => !this.inFlight.has(each.id) && !(ordered && this.subjects.has(each.subject)));
      this.queue.push(...fresh);
    } finally {
      this.context.held.settle(fresh);
    }
  }

  private nextRequest(): DueRequest {
    const { id, concurrency } = this.destination;
    const limit = this.isProbing ? 1 : Math.min(concurrency * READ_AHEAD, MOST_READ);
    const known = [...this.inFlight.keys(), ...this.queue.map((each) => each.id)];
    return { destinationId: id, limit, except: known, evenIfNotDue: this.isProbing };
  }

  /** Leaves out what was probed, until nothing else is found. */
  private async find(request: DueRequest): Promise<DueDelivery[]> {
    const find = (each: DueRequest) => (this.destination.ordered ? this.findHeads(each) : findDue(each));
    if (this.probed.size === 0) return find(request);
    const found = await find({ ...request, except: [...request.except, ...this.probed] });
    if (found.length > 0) return found;
    this.probed.clear();
    return find(request);
  }

  private findHeads(request: DueRequest): Promise<DueDelivery[]> {
    const readBefore = () => findOldestWaiting(this.destination.workspaceId);
    return this.walk.findDue({ request, readBefore, mayGoOn: () => this.mayBegin });
  }

  /** What was read may begin: a request's place is free. */
  private get mayBeginNext(): boolean {
    const most = this.isProbing ? 1 : this.destination.concurrency;
    const mostUnrecorded = this.isFailing || this.isProbing ? 0 : MOST_UNRECORDED;
    return this.mayBegin && this.queue.length > 0 && this.sending < most && this.inFlight.size < most + mostUnrecorded;
  }

  /** Secrets are looked at here and not when deliveries are read: what was read may wait for minutes. */
  private async begin(): Promise<void> {
    if (!this.mayBeginNext) return;
    const signing = await this.secrets.signingOf(this.destination);
    while (this.mayBeginNext) {
      const wait = this.rate.take(this.destination.rate);
      if (wait > 0) {
        this.wakeIn(wait);
        return;
      }
      const delivery = this.queue.shift();
      if (!delivery) return;
      this.subjects.add(delivery.subject);
      if (this.isProbing) this.probed.add(delivery.id);
      this.inFlight.set(delivery.id, this.work(delivery, signing, this.isProbing));
    }
  }

  private async work(delivery: DueDelivery, signing: Signing, probe: boolean): Promise<void> {
    try {
      const result = await this.send(delivery, signing, probe);
      if (result) this.apply(await this.context.writer.write(result));
    } catch (error) {
      logger().error({ destination: this.destination.id, err: error }, "an attempt ended unexpectedly");
      await sleep(1000);
    } finally {
      this.inFlight.delete(delivery.id);
      this.subjects.delete(delivery.subject);
      this.context.held.release([delivery]);
      if (this.destination.ordered) this.wake();
      else this.advance();
    }
  }

  /** The breaker opened or closed: known here at once, not at the next look at the settings. */
  private apply(change: StateChange | null): void {
    if (change === null || this.destination.state === change.to) return;
    this.beginAnew();
    this.destination = { ...this.destination, state: change.to, isDue: false };
  }

  /** @returns null when it was given up */
  private async send(delivery: DueDelivery, { mode, secrets }: Signing, probe: boolean): Promise<DeliveryResult | null> {
    const { id: destinationId, workspaceId, url } = this.destination;
    const number = delivery.tries + 1;
    const event = { ...delivery, deliveryId: publicDeliveryId(delivery.id), number };
    const attempt = beginSend(this.destination, delivery, number);
    const headers = { ...requestHeaders(event, mode, secrets, new Date()), ...attempt?.headers };
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

  /** What was read and what was probed are of the settings before. */
  private beginAnew(): void {
    this.dropQueue();
    this.probed.clear();
  }

  private dropQueue(): void {
    this.context.held.release(this.queue.splice(0));
  }

  private wakeIn(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), ms);
  }
}
