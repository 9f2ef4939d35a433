import { once } from "#lib/context/once";
import { newId } from "#lib/contracts/api/ids";
import { noteRun, type ReceiverRun } from "#lib/outages/receiver-run-store";
import { type Clock, systemClock } from "#lib/time/clock";
import { inTime } from "#lib/time/in-time";

/** A process notes so often that it receives. Milliseconds. */
export const PRESENCE_MS = 5000;
/** One that did not get round to it for so long did not receive either: it was stopped, or its machine slept. Milliseconds. */
const FROZEN_MS = 30_000;
/** While the database is away nothing is noted, and nobody waits for it: what is answered then is counted. Milliseconds. */
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

  /** Notes that it receives now. Never throws. */
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

/** The process's own. */
export const receiverPresence = (): ReceiverPresence =>
  once("receiver-presence", () => new ReceiverPresence({ write: noteRun, clock: systemClock }));
