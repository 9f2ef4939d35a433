import { type DueDelivery, type DueRequest, findDue, loadDue, type MeasuredDelivery } from "#lib/forwarding/sender/due-delivery-store";
import type { HeldBodies, Room } from "#lib/forwarding/sender/held-bodies";
import type { LeasedDestination } from "#lib/forwarding/sender/sender-lease-store";
import { SubjectWalk } from "#lib/forwarding/sender/subject-walk";

/** Number of deliveries read for each request of the concurrency. */
const READ_AHEAD = 4;
const MAX_READ = 200;
/** One statement loads no more bytes of bodies, but one body at least: all destinations share the connections. */
const MAX_LOADED_BYTES = 1_048_576;

/** Destination and state that a queue is filled for. */
export type Filling = {
  destination: LeasedDestination;
  /** The holder of its lease. */
  sender: string;
  /** Deliveries that are on their way, and the subjects that wait for them. */
  inFlight: ReadonlyMap<number, unknown>;
  subjects: ReadonlySet<string>;
  /** Asked after each wait: the destination is still to be sent to, and its settings are the same. */
  isStill: () => boolean;
};

/** Result of filling. `later`: something is due for which there was no room; its owner is woken when there is. */
export type Filled = "none" | "some" | "later";

/** Deliveries of one destination that were read and wait for their request, with the room that their bodies take. */
export class DueQueue {
  private queue: DueDelivery[] = [];
  private readonly held: HeldBodies;
  private readonly room: Room;
  private readonly walk = new SubjectWalk();
  /** Probed since the suspension: an application that refuses one delivery for ever may take another. */
  private readonly probed = new Set<number>();

  constructor(held: HeldBodies, whenRoom: () => void) {
    this.held = held;
    this.room = held.open(whenRoom);
  }

  get length(): number {
    return this.queue.length;
  }

  /** Takes the next out of the queue. Its body is held until it has ended. */
  shift(): DueDelivery | undefined {
    return this.queue.shift();
  }

  /** Another delivery is probed next time. */
  noteProbe({ id }: DueDelivery): void {
    this.probed.add(id);
  }

  /** It was sent, or given up. */
  ended({ bytes }: DueDelivery): void {
    this.room.release(bytes);
  }

  /** Nothing more is to be read for now. */
  forgo(): void {
    this.room.forgo();
  }

  /** Forgets what was read. */
  drop(): void {
    this.room.release(sumOf(this.queue.splice(0)));
    this.room.forgo();
  }

  /** Forgets what was read and what was probed: both are of the settings before. */
  beginAnew(): void {
    this.drop();
    this.probed.clear();
  }

  close(): void {
    this.room.close();
  }

  /** Reads what is due: first how large it is, then as much as there is room for. */
  async fill(filling: Filling): Promise<Filled> {
    const { destination, sender, inFlight, subjects, isStill } = filling;
    const found = await this.find(filling);
    // Deliveries that ended while they were read are still in the result: they were excluded, so none of them is sent again.
    const fresh = isStill() ? found.filter(({ id, subject }) => !inFlight.has(id) && !(destination.ordered && subjects.has(subject))) : [];
    const taken = fresh.slice(0, this.room.take(sizesWithin(fresh)));
    if (taken.length === 0) return found.length === 0 ? "none" : fresh.length > 0 ? "later" : "some";
    const last = taken.at(-1);
    if (last && destination.ordered && taken.length < found.length) this.walk.goOnAfter(last.subject);
    let loaded: DueDelivery[] = [];
    try {
      const rows = await this.held.inTurn(sumOf(taken), () => loadDue(taken, sender));
      if (isStill()) loaded = rows;
    } finally {
      this.room.release(sumOf(taken) - sumOf(loaded));
    }
    this.queue.push(...loaded);
    return "some";
  }

  /** Leaves out what was probed, until nothing else is found. */
  private async find(filling: Filling): Promise<MeasuredDelivery[]> {
    const request = this.requestOf(filling);
    if (this.probed.size === 0) return this.findDue(filling, request);
    const found = await this.findDue(filling, { ...request, except: [...request.except, ...this.probed] });
    if (found.length > 0) return found;
    this.probed.clear();
    return this.findDue(filling, request);
  }

  private findDue({ destination, isStill }: Filling, request: DueRequest): Promise<MeasuredDelivery[]> {
    return destination.ordered ? this.walk.findDue({ request, mayGoOn: isStill }) : findDue(request);
  }

  private requestOf({ destination: { id, workspaceId, state, concurrency }, inFlight }: Filling): DueRequest {
    const isProbe = state === "suspended";
    const known = [...inFlight.keys(), ...this.queue.map((each) => each.id)];
    const limit = isProbe ? 1 : Math.min(concurrency * READ_AHEAD, MAX_READ);
    return { workspaceId, destinationId: id, limit, except: known, evenIfNotDue: isProbe };
  }
}

/** The sizes of the first, as many as one statement loads. */
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
