import { setTimeout as sleep } from "node:timers/promises";
import {
  type DueDelivery,
  type DueRequest,
  findDue,
  findDueHeads,
  loadDue,
  type MeasuredDelivery,
  type Stretch,
} from "#lib/forwarding/sender/due-delivery-store";
import { type HeldBodies, LARGE_BYTES, LARGE_PACE, type Room } from "#lib/forwarding/sender/held-bodies";
import type { LeasedDestination } from "#lib/forwarding/sender/sender-lease-store";

/** Deliveries read for each request of the concurrency. */
const READ_AHEAD = 4;
const MAX_READ = 200;
/** Bytes of small bodies that one statement loads: all destinations share the connections. */
const MAX_LOADED_BYTES = 1_048_576;

export type Filling = {
  destination: LeasedDestination;
  sender: string;
  inFlight: ReadonlyMap<number, unknown>;
  subjects: ReadonlySet<string>;
  /** Asked after each wait: true while the destination is sent to with the same settings. */
  isStill: () => boolean;
};

/** `later`: something is due for which there was no room; its owner is woken when there is. */
export type Filled = "none" | "some" | "later";

/** Deliveries of one destination that were read and wait for their request, with the room that their bodies take. Large ones load
 * alongside the small ones and take turns with them, so that no small one waits for those due before it. */
export class DueQueue {
  private readonly small: DueDelivery[] = [];
  private readonly large: DueDelivery[] = [];
  private wasLarge = true;
  private loading: { delivery: MeasuredDelivery; ended: Promise<void> } | null = null;
  private failure: Error | null = null;
  private timesDropped = 0;
  /** The large one that waits for room: it is not looked for again. */
  private next: MeasuredDelivery | null = null;
  private isLargeLeft = false;
  /** A small one may be due among large ones. */
  private maySmallWait = true;
  /** Time (performance.now) from which small ones may be loaded again at the pace of large ones. */
  private loadAt = 0;
  private readonly room: Room;
  private readonly goOn: () => void;
  private readonly walk = new SubjectWalk();
  private readonly smallWalk = new SubjectWalk();
  /** Probed since the suspension: an application that rejects one delivery forever may take another. */
  private readonly probed = new Set<number>();

  /** @param goOn called when there is more to begin, or room for more */
  constructor(held: HeldBodies, goOn: () => void) {
    this.goOn = goOn;
    this.room = held.open(goOn);
  }

  get length(): number {
    return this.small.length + this.large.length;
  }

  /** True if what was read runs out. In order, a subject's next delivery shows only when the one before it is recorded. */
  isLow(destination: LeasedDestination): boolean {
    const most = readyMost(destination);
    if (isProbe(destination)) return this.length === 0;
    return this.small.length < most || (this.isLargeLeft && this.mayTakeLarge(most));
  }

  /** Takes the next one; its body is held until `ended`. */
  shift(): DueDelivery | undefined {
    const isLarge = this.large.length > 0 && (this.small.length === 0 || !this.wasLarge);
    this.wasLarge = isLarge;
    return (isLarge ? this.large : this.small).shift();
  }

  ask(): void {
    this.maySmallWait = true;
  }

  noteProbe({ id }: DueDelivery): void {
    this.probed.add(id);
  }

  beginRequest(): () => void {
    return this.room.beginRequest();
  }

  ended({ bytes }: DueDelivery): void {
    this.room.release(bytes);
  }

  /** Says that nothing more is to be read for now. */
  forgo(): void {
    this.room.forgo();
  }

  drop(): void {
    this.timesDropped += 1;
    this.loading = null;
    this.next = null;
    this.room.release(sumOf(this.small.splice(0)) + sumOf(this.large.splice(0)));
    this.room.forgo();
  }

  /** Also forgets what was probed: it belongs to the settings before. */
  beginAnew(): void {
    this.drop();
    this.probed.clear();
  }

  close(): void {
    this.room.close();
  }

  async fill(filling: Filling): Promise<Filled> {
    const { destination } = filling;
    this.throwFailure();
    const mayTakeLarge = this.mayTakeLarge(readyMost(destination));
    const isKnown = this.next !== null;
    const due = mayTakeLarge && !isKnown ? await this.findDue(filling, null) : NOTHING;
    const large = due.fresh.filter(isLarge);
    if (mayTakeLarge && !isKnown) this.isLargeLeft = large.length > 1;
    this.next ??= large[0] ?? null;
    let small = due.fresh.filter((each) => !isLarge(each));
    // Large ones are in front: small ones are looked for behind them.
    const isBehind = small.length === 0 && !isProbe(destination) && (!mayTakeLarge || this.next !== null);
    if (isBehind && this.maySmallWait) {
      this.maySmallWait = false;
      const behind = await this.findDue(filling, LARGE_BYTES);
      small = behind.fresh;
      this.maySmallWait ||= behind.found > 0;
    }
    const taken = small.length === 0 ? [] : small.slice(0, this.room.take(sizesWithin(small)));
    const lastTaken = taken.at(-1);
    if (lastTaken && taken.length < small.length) (isBehind ? this.smallWalk : this.walk).goOnAfter(lastTaken.subject);
    // A large one never takes the room that small ones wait for.
    const isLargeTaken = mayTakeLarge && (small.length === 0 || taken.length > 0) && this.beginLarge(filling);
    if (taken.length > 0) await this.loadSmall(taken, filling);
    if (isLargeTaken && isProbe(destination)) {
      await this.loading?.ended;
      this.throwFailure();
    }
    if (small.length === 0 && this.next === null) this.room.forgo();
    if (taken.length > 0 || isLargeTaken || !mayTakeLarge) return "some";
    if (small.length > 0 || this.next !== null) return "later";
    return due.found === 0 ? "none" : "some";
  }

  private throwFailure(): void {
    const { failure } = this;
    this.failure = null;
    if (failure) throw failure;
  }

  private mayTakeLarge(most: number): boolean {
    return this.loading === null && this.large.length < most;
  }

  private async loadSmall(taken: MeasuredDelivery[], { sender, isStill }: Filling): Promise<void> {
    const bytes = sumOf(taken);
    const wait = this.loadAt - performance.now();
    let loaded: DueDelivery[] = [];
    try {
      if (wait >= 1) await sleep(wait);
      this.loadAt = performance.now() + bytes / LARGE_PACE;
      const rows = await loadDue(taken, sender);
      if (isStill()) loaded = rows;
    } finally {
      this.room.release(bytes - sumOf(loaded));
    }
    this.small.push(...loaded);
  }

  /** Starts loading a large one in this destination's turn; nothing waits for that. Returns false if there is none, or no room. */
  private beginLarge({ destination, sender, isStill }: Filling): boolean {
    const { next: delivery } = this;
    if (!delivery || this.room.take([delivery.bytes]) === 0) return false;
    this.next = null;
    if (destination.ordered) this.walk.goOnAfter(delivery.subject);
    const { timesDropped } = this;
    const isWanted = () => timesDropped === this.timesDropped && isStill();
    const load = async () => {
      let loaded: DueDelivery[] = [];
      try {
        const rows = await this.room.inTurn(delivery.bytes, async () => (isWanted() ? loadDue([delivery], sender) : []));
        if (isWanted()) loaded = rows;
      } catch (error) {
        if (isWanted()) this.failure = error as Error;
      }
      this.room.release(delivery.bytes - sumOf(loaded));
      this.large.push(...loaded);
      if (timesDropped !== this.timesDropped) return;
      this.loading = null;
      this.goOn();
    };
    this.loading = { delivery, ended: load() };
    return true;
  }

  /** Leaves out what was probed, until nothing else is found. */
  private async findDue(filling: Filling, smallerThan: number | null): Promise<{ fresh: MeasuredDelivery[]; found: number }> {
    const { destination, inFlight, subjects, isStill } = filling;
    const request = { ...this.requestOf(filling), smallerThan };
    let found = await this.readDue(filling, { ...request, except: [...request.except, ...this.probed] });
    if (found.length === 0 && this.probed.size > 0) {
      this.probed.clear();
      found = await this.readDue(filling, request);
    }
    // Deliveries that ended during the reading were excluded from it, so none of them is sent again.
    const fresh = isStill() ? found.filter(({ id, subject }) => !inFlight.has(id) && !(destination.ordered && subjects.has(subject))) : [];
    return { fresh, found: found.length };
  }

  private readDue({ destination, isStill }: Filling, request: DueRequest): Promise<MeasuredDelivery[]> {
    if (!destination.ordered) return findDue(request);
    return (request.smallerThan === null ? this.walk : this.smallWalk).findDue({ request, mayGoOn: isStill });
  }

  private requestOf({ destination, inFlight }: Filling): Omit<DueRequest, "smallerThan"> {
    const { id, workspaceId, concurrency } = destination;
    const read = [...this.small, ...this.large, ...(this.loading ? [this.loading.delivery] : []), ...(this.next ? [this.next] : [])];
    const known = [...inFlight.keys(), ...read.map((each) => each.id)];
    const limit = isProbe(destination) ? 1 : Math.min(concurrency * READ_AHEAD, MAX_READ);
    return { workspaceId, destinationId: id, limit, except: known, evenIfNotDue: isProbe(destination) };
  }
}

const NOTHING = { fresh: [], found: 0 };

const isProbe = ({ state }: LeasedDestination): boolean => state === "suspended";

const readyMost = (destination: LeasedDestination): number => (destination.ordered || isProbe(destination) ? 1 : destination.concurrency);

const isLarge = ({ bytes }: MeasuredDelivery): boolean => bytes >= LARGE_BYTES;

function sizesWithin(found: MeasuredDelivery[]): number[] {
  let sum = 0;
  const sizes = found.map(({ bytes }) => bytes);
  const end = sizes.findIndex((bytes) => {
    sum += bytes;
    return sum > MAX_LOADED_BYTES;
  });
  return end < 0 ? sizes : sizes.slice(0, Math.max(1, end));
}

const sumOf = (deliveries: readonly MeasuredDelivery[]): number => deliveries.reduce((sum, { bytes }) => sum + bytes, 0);

type WalkRequest = {
  request: DueRequest;
  /** Asked before each stretch: a walk past many subjects takes time. */
  mayGoOn: () => boolean;
};

/** Stretches of 1,000 subjects per look: a look must end, and the next goes on from there. */
const MAX_STRETCHES = 10;

/** Walks round the subjects of one destination, so that each has its turn. */
class SubjectWalk {
  private last = "";
  private stretchesLeft = 0;

  /** For when fewer were taken than found: the next look goes on after this one. */
  goOnAfter(subject: string): void {
    this.last = subject;
  }

  /** Walks on until some are due, all subjects were looked at, or the stretches are used up. */
  async findDue(walk: WalkRequest): Promise<MeasuredDelivery[]> {
    const from = this.last;
    this.stretchesLeft = MAX_STRETCHES;
    const found = await this.findWithin(walk, { after: from, upTo: null });
    return found.length > 0 || from === "" ? found : this.findWithin(walk, { after: "", upTo: from });
  }

  private async findWithin({ request, mayGoOn }: WalkRequest, { after, upTo }: Stretch): Promise<MeasuredDelivery[]> {
    for (let at: string | null = after; at !== null && this.stretchesLeft > 0 && mayGoOn(); ) {
      this.stretchesLeft -= 1;
      const { deliveries, last } = await findDueHeads(request, { after: at, upTo });
      this.last = last ?? "";
      if (deliveries.length > 0) return deliveries;
      at = last;
    }
    return [];
  }
}
