import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { maskedUrl } from "#lib/contracts/safe-urls";
import { pool } from "#lib/db/pool";
import { requestOf } from "#lib/forwarding/attempt/outgoing-request";
import { withoutUrl } from "#lib/forwarding/attempt/redaction";
import { type AttemptResult, sendAttempt, TargetConnection } from "#lib/forwarding/attempt/send-attempt";
import { readTargetUrl } from "#lib/forwarding/check-target";
import { MAX_ATTEMPTS, publicDeliveryId, waitAfter } from "#lib/forwarding/delivery";
import type { DueDelivery } from "#lib/forwarding/sender/due-delivery-store";
import type { HeldBodies } from "#lib/forwarding/sender/held-bodies";
import type { DeliveryResult } from "#lib/forwarding/sender/result-store";
import type { LeasedDestination } from "#lib/forwarding/sender/sender-lease-store";
import { leadsToSame, SigningSecrets, type SigningTo } from "#lib/forwarding/sender/signing-secrets";
import { traceIdentity, traceparentOf, tracing } from "#lib/observability/active-tracing";
import { logger } from "#lib/observability/logger";
import type { SourceSender } from "#lib/platform/schemes/sender-requests";
import { listSenders } from "#lib/sources/source-store";
import type { Clock } from "#lib/time/clock";
import { openHeaders, sealedValues } from "#lib/vault/sealed-values";
import { DueQueue } from "./due-queue.ts";
import type { ResultWriter, StateChange } from "./record-results.ts";

/** Results that may wait to be recorded: a process that dies sends them again. While the database is unavailable, no more is sent. */
const MAX_UNRECORDED = 20;

type SigningNow = SigningTo & { senders: Senders };

export type SenderContext = {
  sender: string;
  writer: ResultWriter;
  /** Bodies in memory, of all destinations together. */
  held: HeldBodies;
  giveUp: AbortSignal;
  random: () => number;
  clock: Pick<Clock, "now">;
};

/** Sends to one leased destination within its concurrency, rate and order, and hands every result to the writer. */
export class DestinationSender {
  private destination: LeasedDestination;
  private readonly context: SenderContext;
  private readonly idle: TargetConnection[] = [];
  /** Deliveries that are being sent, or whose result is being recorded. */
  private readonly inFlight = new Map<number, Promise<void>>();
  private sending = 0;
  /** The last attempt failed: nothing is sent ahead of the breaker's decision. */
  private isFailing = false;
  private readonly subjects = new Set<string>();
  private readonly rate = new RateLimit();
  private readonly queue: DueQueue;
  private readonly secrets = new SigningSecrets();
  private readonly sources = new SourceSenders();
  private isLeased = () => false;
  private stopped = false;
  private looking = false;
  private lookAgain = false;
  private asked = true;
  /** A probe began or a state change was recorded since the settings were read: the next ones may be older than that. */
  private isAhead = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(destination: LeasedDestination, context: SenderContext) {
    this.destination = destination;
    this.context = context;
    this.queue = new DueQueue(context.held, () => this.readOn());
  }

  get workspaceId(): string {
    return this.destination.workspaceId;
  }

  get isIdle(): boolean {
    return this.inFlight.size === 0;
  }

  /** @param isLeased asked before each request: true while the lease that these settings came with lasts */
  update(read: LeasedDestination, isLeased: () => boolean): void {
    this.isLeased = isLeased;
    const destination = this.isAhead ? laterSettings(read, this.destination) : read;
    // Readings never overlap: once nothing is in flight, the next one begins after all was recorded.
    this.isAhead &&= this.inFlight.size > 0;
    if (!leadsToSame(destination, this.destination)) for (const connection of this.idle.splice(0)) connection.close();
    const { state, ordered, mode } = this.destination;
    if (destination.state !== state || destination.ordered !== ordered || destination.mode !== mode) this.queue.beginAnew();
    this.secrets.forget();
    this.sources.forget();
    this.destination = destination;
    if (destination.isDue) this.wake();
  }

  /** Forgets what was read: another sender may have had the destination meanwhile. */
  beginAnew(): void {
    this.queue.beginAnew();
  }

  /** Looks for what is due. Cheap to call often: looks never overlap. */
  wake(): void {
    this.queue.ask();
    this.readOn();
  }

  private readOn(): void {
    this.asked = true;
    this.advance();
  }

  private advance(): void {
    this.lookAgain = true;
    if (this.looking || this.stopped) return;
    this.looking = true;
    void this.look().finally(() => {
      this.looking = false;
      if (this.lookAgain) this.advance();
    });
  }

  /** Begins nothing more, and resolves when everything in flight is recorded. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    this.queue.drop();
    await Promise.allSettled(this.inFlight.values());
    this.queue.close();
    for (const connection of this.idle.splice(0)) connection.close();
  }

  private get mayBegin(): boolean {
    return !this.stopped && this.destination.state !== "paused" && this.isLeased();
  }

  private get isProbing(): boolean {
    return this.destination.state === "suspended";
  }

  private async look(): Promise<void> {
    this.lookAgain = false;
    try {
      await this.begin();
      if (this.mayRead) await this.refill();
      else this.queue.forgo();
      await this.begin();
    } catch (error) {
      // Deliveries that can't be signed now are read again: they take no room from other destinations.
      this.queue.drop();
      logger().warn({ destination: this.destination.id, reason: (error as Error).message }, "can't read what is due; trying again");
      this.wakeIn(1000);
    }
  }

  private get mayRead(): boolean {
    const mayProbe = !this.isProbing || (this.destination.isDue && this.inFlight.size === 0);
    return this.mayBegin && this.asked && this.queue.isLow(this.destination) && mayProbe;
  }

  private async refill(): Promise<void> {
    const { destination, inFlight, subjects } = this;
    const { sender } = this.context;
    const { state, ordered } = destination;
    const isStill = () => this.mayBegin && this.destination.state === state && this.destination.ordered === ordered;
    this.asked = false;
    const before = this.queue.length;
    const filled = await this.queue.fill({ destination, sender, inFlight, subjects, isStill });
    // One reading takes no more than a megabyte: where more may begin, the next follows at once.
    if (this.queue.length > before && !this.isProbing) this.lookAgain = true;
    if (filled !== "none" && !this.isProbing) this.asked = true;
    if (filled !== "later" && isStill() && this.isProbing) this.destination = { ...this.destination, isDue: false };
  }

  private get mayBeginNext(): boolean {
    const most = this.isProbing ? 1 : this.destination.concurrency;
    const mostUnrecorded = this.isFailing || this.isProbing ? 0 : MAX_UNRECORDED;
    return this.mayBegin && this.queue.length > 0 && this.sending < most && this.inFlight.size < most + mostUnrecorded;
  }

  /** Reads secrets here and not with the deliveries, which may have waited for minutes. */
  private async begin(): Promise<void> {
    if (!this.mayBeginNext) return;
    const { destination } = this;
    const signing = { ...(await this.secrets.signingOf(destination)), senders: await this.sources.sendersFor(destination) };
    // Another URL came meanwhile: what was read signs for the one before.
    if (!leadsToSame(this.destination, destination)) return this.begin();
    while (this.mayBeginNext) {
      const wait = this.rate.take(this.destination.rate);
      if (wait > 0) {
        this.wakeIn(wait);
        return;
      }
      const delivery = this.queue.shift();
      if (!delivery) return;
      this.subjects.add(delivery.subject);
      if (this.isProbing) this.noteProbe(delivery);
      this.inFlight.set(delivery.id, this.work(delivery, signing, this.isProbing));
    }
  }

  private noteProbe(delivery: DueDelivery): void {
    this.queue.noteProbe(delivery);
    this.isAhead = true;
  }

  private async work(delivery: DueDelivery, signing: SigningNow, probe: boolean): Promise<void> {
    try {
      const result = await this.send(delivery, signing, probe);
      if (result) this.apply(await this.context.writer.write(result));
    } catch (error) {
      logger().error({ destination: this.destination.id, err: error }, "an attempt ended unexpectedly");
      await sleep(1000);
    } finally {
      this.inFlight.delete(delivery.id);
      this.subjects.delete(delivery.subject);
      this.queue.ended(delivery);
      if (this.destination.ordered) this.wake();
      else this.advance();
    }
  }

  /** Applies the breaker's change at once, not with the next reading of the settings. */
  private apply(change: StateChange | null): void {
    if (change === null || this.destination.state === change.to) return;
    this.queue.beginAnew();
    this.isAhead = true;
    this.destination = { ...this.destination, state: change.to, epoch: this.destination.epoch + 1, probes: 0, isDue: false };
  }

  /** Counts a request before anything is awaited, so that the next one sees its place taken. */
  private counted<T>(request: () => Promise<T>): Promise<T> {
    this.sending += 1;
    const ended = this.queue.beginRequest();
    return request().finally(() => {
      this.sending -= 1;
      ended();
    });
  }

  private async send(delivery: DueDelivery, { url, senders, ...signing }: SigningNow, probe: boolean): Promise<DeliveryResult | null> {
    const { destination } = this;
    const { id: destinationId, workspaceId } = destination;
    const number = delivery.tries + 1;
    const at = new Date(this.context.clock.now());
    const attempt = beginSend(destination, delivery, number);
    const parsed = readTargetUrl(url);
    if (!parsed.ok) throw new Error("the stored URL can't be read");
    const { connection, hidden, sent } = await this.counted(async () => {
      const headers = await openHeaders(delivery.headers, { workspaceId, sourceId: delivery.sourceId });
      const event = { ...delivery, headers, deliveryId: publicDeliveryId(delivery.id), number, sender: senders.get(delivery.sourceId) };
      const { secrets, own, ...request } = requestOf(event, signing, parsed.target, at);
      const connection = this.idle.pop() ?? new TargetConnection(parsed.target);
      const traced = { ...request, headers: { ...request.headers, ...attempt?.headers } };
      const sent = await sendAttempt(connection, traced, at, this.context.giveUp);
      return { connection, hidden: { own, secrets: [...secrets, ...sealedValues(headers, delivery.headers)] }, sent };
    });
    const result = sent && withoutUrl(sent, url, hidden);
    attempt?.end(result);
    if (result?.answer && leadsToSame(this.destination, destination) && !this.stopped) this.idle.push(connection);
    else connection.close();
    if (result === null) return null;
    this.isFailing = result.outcome !== "delivered";
    this.advance();
    const next = nextState(delivery.attempts, result, probe, this.context.random);
    const read = { attempts: delivery.attempts, starts: delivery.starts, epoch: destination.epoch };
    return {
      attemptId: randomUUID(),
      workspaceId,
      destinationId,
      deliveryId: delivery.id,
      number,
      url: maskedUrl(url),
      probe,
      result,
      read,
      next,
    };
  }

  private wakeIn(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), ms);
  }
}

/** Returns the newer settings: those read may be older than what this sender has done, and its probe shows as due until it is recorded. */
export function laterSettings(read: LeasedDestination, known: LeasedDestination): LeasedDestination {
  if (read.epoch < known.epoch) return known;
  const isBegun = read.epoch === known.epoch && read.state === "suspended" && read.probes <= known.probes;
  return isBegun ? { ...read, isDue: false } : read;
}

/** The proxy is asked again after this, without an attempt being used up. */
const PROXY_RETRY_MS = 30_000;

/** Returns what becomes of a delivery after an attempt; a failed probe uses no attempt up. Pure. @param random 0 to 1, for jitter */
function nextState(
  attempts: number,
  { outcome, retryAfterMs }: Pick<AttemptResult, "outcome" | "retryAfterMs">,
  probe: boolean,
  random: () => number,
): DeliveryResult["next"] {
  if (outcome === "delivered") return { state: "delivered" };
  if (probe) return null;
  if (outcome === "proxy_failed") return { state: "pending", attempts, waitMs: PROXY_RETRY_MS };
  if (outcome === "gone") return { state: "pending", attempts, waitMs: 0 };
  const failed = attempts + 1;
  const waitMs = waitAfter(failed, retryAfterMs, random());
  return waitMs === null || failed >= MAX_ATTEMPTS ? { state: "exhausted" } : { state: "pending", attempts: failed, waitMs };
}

/** Spreads requests evenly: no more than `rate` a second, without bursts. */
class RateLimit {
  private nextAt = 0;

  /** Returns milliseconds to wait; 0 takes the turn. */
  take(rate: number | null): number {
    if (rate === null) return 0;
    const now = performance.now();
    if (now < this.nextAt) return this.nextAt - now;
    this.nextAt = Math.max(this.nextAt + 1000 / rate, now);
    return 0;
  }
}

/** A change of how a source signs takes effect after this. */
const FRESH_MS = 2000;

type Senders = ReadonlyMap<string, SourceSender>;
const NONE: Senders = new Map();

class SourceSenders {
  private read: { senders: Senders; at: number } | null = null;

  /** Forces a new reading: the destination may have changed. */
  forget(): void {
    this.read = null;
  }

  async sendersFor({ mode, workspaceId }: LeasedDestination): Promise<Senders> {
    if (mode === "signed") return NONE;
    const at = performance.now();
    if (this.read && at - this.read.at < FRESH_MS) return this.read.senders;
    const senders = await listSenders(workspaceId, pool("forwarding"));
    this.read = { senders, at };
    return senders;
  }
}

/** `end` with null: the attempt was given up. */
type TracedSend = { headers: { traceparent: string }; end: (result: AttemptResult | null) => void };

/** Begins the span of an attempt in the trace of its event; null while nothing is traced. @param number of the attempt, from 1 */
function beginSend({ name, url }: LeasedDestination, { sourceId, eventId, type }: DueDelivery, number: number): TracedSend | null {
  const active = tracing();
  if (!active) return null;
  const span = active.begin(traceIdentity(sourceId, eventId), `send ${name}`, SpanKind.CLIENT, {
    "http.request.method": "POST",
    "server.address": URL.parse(url)?.hostname ?? "",
    "http.request.resend_count": number - 1,
    "signalbox.event.id": eventId,
    "signalbox.event.type": type,
  });
  return {
    headers: { traceparent: traceparentOf(span) },
    end: (result) => {
      if (result?.answer) span.setAttribute("http.response.status_code", result.answer.status);
      if (result?.outcome !== "delivered") {
        span.setAttribute("error.type", result ? result.outcome : "aborted");
        span.setStatus({ code: SpanStatusCode.ERROR, ...(result && { message: result.detail }) });
      }
      span.end();
    },
  };
}
