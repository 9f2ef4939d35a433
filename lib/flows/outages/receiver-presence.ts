import { once } from "#lib/context/once";
import { newId } from "#lib/contracts/api/ids";
import { noteRun, type ReceiverRun } from "#lib/outages/outage-store";
import { type Clock, systemClock } from "#lib/time/clock";
import { inTime } from "#lib/time/waits";

export const PRESENCE_MS = 5000;
/** A process silent for longer did not receive either: it was stopped, or its machine slept. */
const FROZEN_MS = 30_000;
/** Limit of the write: while the database is unavailable nothing is noted, and 503 answers are counted instead. */
const WRITE_MS = 5000;

type Dependencies = { write: (run: ReceiverRun) => Promise<void>; clock: Pick<Clock, "now"> };

/** Notes for how long this process has received, so that the times in which none did are known. */
export class ReceiverPresence {
  private readonly write: Dependencies["write"];
  private readonly clock: Dependencies["clock"];
  private run: { id: string; startedAt: number; beatAt: number };

  constructor({ write, clock }: Dependencies) {
    this.write = write;
    this.clock = clock;
    this.run = this.start();
  }

  /** Never throws. */
  async beat(): Promise<void> {
    if (this.clock.now() - this.run.beatAt > FROZEN_MS) this.run = this.start();
    const now = this.clock.now();
    this.run.beatAt = now;
    const { id, startedAt } = this.run;
    await inTime(
      this.write({ id, startedMsAgo: Math.max(0, now - startedAt) }).catch(() => undefined),
      WRITE_MS,
      () => undefined,
    );
  }

  private start() {
    const now = this.clock.now();
    return { id: newId("run"), startedAt: now, beatAt: now };
  }
}

export const receiverPresence = (): ReceiverPresence =>
  once("receiver-presence", () => new ReceiverPresence({ write: noteRun, clock: systemClock }));
