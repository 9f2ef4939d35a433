import { systemClock } from "#lib/time/clock";
import { LargeTurns } from "./large-turns.ts";

/** This part of the room is divided among the destinations; the rest goes to those that need more, whoever holds least first. */
const DIVIDED_PART = 0.5;
/** Of that rest, slow destinations together take no more than this part: they would keep all of it for as long as they take to answer. */
const SLOW_PART = 0.5;
/** A smaller body is loaded at once. */
export const LARGE_BYTES = 256 * 1024;
/** Large bodies are loaded at this pace: reading and sending each occupies the processor for some milliseconds. Bytes a millisecond. */
export const LARGE_PACE = 10_000;
/** A destination that takes longer to answer is slow. Milliseconds. */
const SLOW_MS = 2000;
/** Part that the last answer has in the time that a destination takes: one late answer is outweighed by the next few. */
const LAST_ANSWER_PART = 0.25;

/**
 * Bytes of bodies that wait to be sent, held by the senders of a process. Each
 * destination has a share that no other can take, however many bodies the
 * others hold and however long their targets take.
 */
export class HeldBodies {
  /**
   * In bytes. One body that is larger than all that is not divided is held nevertheless, while nothing else is beyond
   * its share. A destination that is added while the others hold all has its share at once: it is passed until they let go.
   */
  readonly most: number;
  /** Milliseconds that never go back. */
  readonly elapsed: () => number;
  private readonly rooms = new Set<Room>();
  private readonly turns = new LargeTurns<Room>(() => LARGE_PACE);
  private readonly slowTurns = new LargeTurns<Room>(() => (this.turns.isBusy ? LARGE_PACE / 2 : LARGE_PACE));
  private waits = 0;

  /** @param most in bytes */
  constructor(most: number, { elapsed } = systemClock) {
    this.most = most;
    this.elapsed = elapsed;
  }

  /** All that is held. */
  get bytes(): number {
    return this.sum(({ held }) => held);
  }

  /**
   * Gives a destination its share.
   *
   * @param whenRoom called when what it asked for in vain may be had
   */
  open(whenRoom: () => void): Room {
    const room = new Room(this, whenRoom);
    this.rooms.add(room);
    return room;
  }

  /** Takes a destination's share back. */
  close(room: Room): void {
    this.rooms.delete(room);
    this.wakeWaiting();
  }

  /** True if a destination may hold so many bytes more. */
  fits(room: Room, bytes: number): boolean {
    const { share } = this;
    const after = room.held + bytes;
    if (after <= share) return true;
    if (this.isAnotherFirst(room)) return false;
    const common = this.most * (1 - DIVIDED_PART);
    const beyond = (isSlow: boolean) => this.sum((each) => (each === room || each.isSlow !== isSlow ? 0 : Math.max(0, each.held - share)));
    const [slow, prompt] = [beyond(true), beyond(false)];
    if (slow + prompt + after - share <= common && (!room.isSlow || slow + after - share <= common * SLOW_PART)) return true;
    return room.held === 0 && (room.isSlow ? slow : prompt) === 0;
  }

  /** Tells those that wait and may go on now. */
  wakeWaiting(): void {
    for (const room of this.rooms) if (room.waitsFor > 0 && this.fits(room, room.waitsFor)) room.whenRoom();
  }

  /**
   * Loads a large body, one after the other at 10 MB a second: each occupies one of the connections that all share, and small
   * ones, which don't wait for them, find the processor free in between. Slow destinations have turns of their own, at half
   * that pace while others load: whoever answers at once doesn't wait for them.
   */
  inTurn<T>(room: Room, bytes: number, load: () => Promise<T>): Promise<T> {
    return (room.isSlow ? this.slowTurns : this.turns).take(room, bytes, load);
  }

  /** Returns the place of one that begins to wait. */
  nextWait(): number {
    this.waits += 1;
    return this.waits;
  }

  /** Returns what each destination may hold whatever the others do. */
  private get share(): number {
    return (this.most * DIVIDED_PART) / Math.max(1, this.rooms.size);
  }

  /** Of those that wait, the one that holds least is first, then the one that has waited longest. Who answers at once doesn't wait for a slow one. */
  private isAnotherFirst(room: Room): boolean {
    const isBefore = (each: Room) => each.held < room.held || (each.held === room.held && each.waitsSince < room.waitsSince);
    return [...this.rooms].some((each) => each !== room && each.waitsFor > 0 && (room.isSlow || !each.isSlow) && isBefore(each));
  }

  private sum(of: (room: Room) => number): number {
    let sum = 0;
    for (const room of this.rooms) sum += of(room);
    return sum;
  }
}

/** One destination's part of the bodies that are held. */
export class Room {
  held = 0;
  /** The size of what it asked for in vain; 0 when it waits for nothing. */
  waitsFor = 0;
  /** Its place among those that wait; the last when it doesn't. */
  waitsSince = Number.POSITIVE_INFINITY;
  readonly whenRoom: () => void;
  private readonly all: HeldBodies;
  /** Requests that have not been answered, the oldest first, with when each began. */
  private readonly unanswered = new Set<{ since: number }>();
  private answerMs = 0;

  constructor(all: HeldBodies, whenRoom: () => void) {
    this.all = all;
    this.whenRoom = whenRoom;
  }

  /** True if its target takes long to answer, or doesn't answer now. One that was never sent to is not slow. */
  get isSlow(): boolean {
    const [oldest] = this.unanswered;
    return this.answerMs > SLOW_MS || (oldest !== undefined && this.all.elapsed() - oldest.since > SLOW_MS);
  }

  /** A request begins. @returns to be called when it has ended, however it did */
  beginRequest(): () => void {
    const request = { since: this.all.elapsed() };
    this.unanswered.add(request);
    return () => {
      this.unanswered.delete(request);
      this.answerMs += LAST_ANSWER_PART * (this.all.elapsed() - request.since - this.answerMs);
    };
  }

  /** Loads a large body when it is this destination's turn. */
  inTurn<T>(bytes: number, load: () => Promise<T>): Promise<T> {
    return this.all.inTurn(this, bytes, load);
  }

  /**
   * Takes room for the first of some bodies, as many as fit. For none it waits, until it asks again.
   *
   * @param sizes in bytes
   * @returns how many fit
   */
  take(sizes: readonly number[]): number {
    let count = 0;
    for (const bytes of sizes) {
      if (!this.all.fits(this, bytes)) break;
      this.held += bytes;
      count += 1;
    }
    const [first = 0] = sizes;
    const waited = this.waitsFor > 0;
    this.waitsFor = count === 0 ? first : 0;
    if (this.waitsFor === 0) this.waitsSince = Number.POSITIVE_INFINITY;
    else if (!waited) this.waitsSince = this.all.nextWait();
    if (waited && this.waitsFor === 0) this.all.wakeWaiting();
    return count;
  }

  /** Waits for nothing any more. */
  forgo(): void {
    this.take([]);
  }

  /** They were sent, or are not to be sent any more. */
  release(bytes: number): void {
    if (bytes === 0) return;
    this.held -= bytes;
    this.all.wakeWaiting();
  }

  close(): void {
    this.all.close(this);
  }
}
