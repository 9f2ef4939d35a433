import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "#lib/time/clock";

/** Part of the room that is divided among the destinations; the rest goes to those that need more, least held first. */
const DIVIDED_PART = 0.5;
/** Part of that rest for all slow destinations: they would keep all of it for as long as they take to answer. */
const SLOW_PART = 0.5;
export const LARGE_BYTES = 256 * 1024;
/** Pace of loading large bodies, in bytes a millisecond: reading and sending each occupies the processor for some milliseconds. */
export const LARGE_PACE = 10_000;
/** A destination that takes longer to answer is slow. Milliseconds. */
const SLOW_MS = 2000;
/** Weight of the last answer in a destination's time: one late answer is outweighed by the next few. */
const LAST_ANSWER_PART = 0.25;

/** Bytes of bodies that wait to be sent by a process. Each destination has a share that no other can take, however slow the others are. */
export class HeldBodies {
  /** In bytes. A larger body is held while nothing else exceeds its share; a new destination's share may exceed it for a while. */
  readonly most: number;
  /** Milliseconds that never go back. */
  readonly elapsed: () => number;
  private readonly rooms = new Set<Room>();
  private readonly turns = new LargeTurns<Room>(() => LARGE_PACE);
  private readonly slowTurns = new LargeTurns<Room>(() => (this.turns.isBusy ? LARGE_PACE / 2 : LARGE_PACE));
  private waits = 0;

  constructor(most: number, { elapsed } = systemClock) {
    this.most = most;
    this.elapsed = elapsed;
  }

  get bytes(): number {
    return this.sum(({ held }) => held);
  }

  /** @param whenRoom called when room that it asked for in vain may be had */
  open(whenRoom: () => void): Room {
    const room = new Room(this, whenRoom);
    this.rooms.add(room);
    return room;
  }

  close(room: Room): void {
    this.rooms.delete(room);
    this.wakeWaiting();
  }

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

  wakeWaiting(): void {
    for (const room of this.rooms) if (room.waitsFor > 0 && this.fits(room, room.waitsFor)) room.whenRoom();
  }

  /** Loads large bodies one at a time at 10 MB a second, so that small ones find a connection. Slow destinations have their own turns. */
  inTurn<T>(room: Room, bytes: number, load: () => Promise<T>): Promise<T> {
    return (room.isSlow ? this.slowTurns : this.turns).take(room, bytes, load);
  }

  nextWait(): number {
    this.waits += 1;
    return this.waits;
  }

  private get share(): number {
    return (this.most * DIVIDED_PART) / Math.max(1, this.rooms.size);
  }

  /** Those who hold least are first, then those who have waited longest. Prompt destinations don't wait for slow ones. */
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

export class Room {
  held = 0;
  /** Size that it asked for in vain; 0 when it doesn't wait. */
  waitsFor = 0;
  /** Place among those that wait; the last when it doesn't. */
  waitsSince = Number.POSITIVE_INFINITY;
  readonly whenRoom: () => void;
  private readonly all: HeldBodies;
  /** Unanswered requests, the oldest first, with when each began. */
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

  /** @returns to be called when the request has ended, successful or not */
  beginRequest(): () => void {
    const request = { since: this.all.elapsed() };
    this.unanswered.add(request);
    return () => {
      this.unanswered.delete(request);
      this.answerMs += LAST_ANSWER_PART * (this.all.elapsed() - request.since - this.answerMs);
    };
  }

  inTurn<T>(bytes: number, load: () => Promise<T>): Promise<T> {
    return this.all.inTurn(this, bytes, load);
  }

  /** Takes room for as many of the first bodies as fit. For none it waits, until it asks again. */
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

  forgo(): void {
    this.take([]);
  }

  release(bytes: number): void {
    if (bytes === 0) return;
    this.held -= bytes;
    this.all.wakeWaiting();
  }

  close(): void {
    this.all.close(this);
  }
}

type Turn<Who> = { who: Who; bytes: number; from: number; run: () => Promise<void> };

/** Loads one body after the other, at a pace. Each gets the same number of bytes: one turn of 8 MB while another has eight of 1 MB. */
export class LargeTurns<Who extends object> {
  private readonly pace: () => number;
  private readonly rest: (ms: number) => Promise<unknown>;
  private readonly waiting: Turn<Who>[] = [];
  /** Bytes up to which each has had its part; one that comes back begins where the others are. */
  private readonly had = new WeakMap<Who, number>();
  private reached = 0;
  private running = false;

  /** @param pace bytes a millisecond, asked for after each turn */
  constructor(pace: () => number, rest: (ms: number) => Promise<unknown> = sleep) {
    this.pace = pace;
    this.rest = rest;
  }

  /** True while a body is loaded, or in the pause after it. */
  get isBusy(): boolean {
    return this.running;
  }

  take<T>(who: Who, bytes: number, load: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const from = Math.max(this.had.get(who) ?? 0, this.reached);
      this.waiting.push({ who, bytes, from, run: () => load().then(resolve, reject) });
      if (!this.running) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running = true;
    for (let turn = this.takeNext(); turn; turn = this.takeNext()) {
      this.reached = turn.from;
      this.had.set(turn.who, turn.from + turn.bytes);
      await turn.run();
      await this.rest(turn.bytes / this.pace());
    }
    this.running = false;
  }

  /** Picks who has had least; among equals, who has waited longest. */
  private takeNext(): Turn<Who> | undefined {
    const least = Math.min(...this.waiting.map(({ from }) => from));
    const at = this.waiting.findIndex(({ from }) => from === least);
    return at < 0 ? undefined : this.waiting.splice(at, 1)[0];
  }
}
