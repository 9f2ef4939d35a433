import { setTimeout as sleep } from "node:timers/promises";

/** This part of the room is divided among the destinations; the rest goes to those that need more, whoever holds least first. */
const DIVIDED_PART = 0.5;
/** A smaller body is loaded at once. */
const LARGE_BYTES = 256 * 1024;
/** Large bodies are loaded at this pace: reading and sending each occupies the processor for some milliseconds. Bytes a millisecond. */
const LARGE_PACE = 10_000;

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
  private readonly rooms = new Set<Room>();
  private lastTurn: Promise<unknown> = Promise.resolve();

  /** @param most in bytes */
  constructor(most: number) {
    this.most = most;
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
    const beyond = this.sum((each) => (each === room ? 0 : Math.max(0, each.held - share)));
    return beyond + after - share <= this.most * (1 - DIVIDED_PART) || (beyond === 0 && room.held === 0);
  }

  /** Tells those that wait and may go on now. */
  wakeWaiting(): void {
    for (const room of this.rooms) if (room.waitsFor > 0 && this.fits(room, room.waitsFor)) room.whenRoom();
  }

  /**
   * Loads bodies. Large ones one destination after the other, at 10 MB a second: they occupy one of the connections that
   * all share, and small ones, which don't wait for them, find the processor free in between.
   *
   * @param bytes how large they are
   */
  inTurn<T>(bytes: number, load: () => Promise<T>): Promise<T> {
    if (bytes < LARGE_BYTES) return load();
    const loaded = this.lastTurn.then(load);
    this.lastTurn = loaded.catch(() => undefined).then(() => sleep(bytes / LARGE_PACE));
    return loaded;
  }

  /** Returns what each destination may hold whatever the others do. */
  private get share(): number {
    return (this.most * DIVIDED_PART) / Math.max(1, this.rooms.size);
  }

  private isAnotherFirst(room: Room): boolean {
    return [...this.rooms].some((each) => each !== room && each.waitsFor > 0 && each.held < room.held);
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
  readonly whenRoom: () => void;
  private readonly all: HeldBodies;

  constructor(all: HeldBodies, whenRoom: () => void) {
    this.all = all;
    this.whenRoom = whenRoom;
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
