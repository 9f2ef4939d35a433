import type { Installation } from "#tests/chaos/installation";
import { residentMegabytes } from "#tests/support/resident-memory";

const EVERY_MS = 2000;
/** A process needs this long to warm up; what it holds before is not compared. Milliseconds. */
const WARM_UP_MS = 60_000;

/** Watches what web process and worker hold in memory. Linux. */
export class MemoryWatch {
  /** Megabytes of resident memory, each with the moment it was read. */
  readonly samples: Record<"web" | "worker", { at: number; megabytes: number }[]> = { web: [], worker: [] };
  private readonly bornAt = new Map<number, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(installation: Installation) {
    this.timer = setInterval(() => {
      for (const name of ["web", "worker"] as const) this.look(installation, name);
    }, EVERY_MS);
  }

  private look(installation: Installation, name: "web" | "worker"): void {
    try {
      const pid = installation.childPid(name);
      const bornAt = this.bornAt.get(pid) ?? Date.now();
      this.bornAt.set(pid, bornAt);
      if (Date.now() - bornAt < WARM_UP_MS) return;
      this.samples[name].push({ at: Date.now(), megabytes: residentMegabytes(pid) });
    } catch {
      // It was killed a moment ago; the next look finds its successor.
    }
  }

  /** The median of the second fifth of the run and of its last, and the highest value, megabytes. */
  sum(name: "web" | "worker"): { early: number; late: number; highest: number } {
    const values = this.samples[name].map(({ megabytes }) => megabytes);
    const share = Math.max(1, Math.floor(values.length / 5));
    const median = (from: number) => values.slice(from, from + share).sort((a, b) => a - b)[Math.floor(share / 2)] ?? 0;
    return { early: median(share), late: median(values.length - share), highest: values.reduce((most, value) => Math.max(most, value), 0) };
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
