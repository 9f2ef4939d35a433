import { setTimeout as sleep } from "node:timers/promises";

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
