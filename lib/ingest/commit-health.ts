import { unavailabilityOf } from "#lib/db/unavailable";
import type { Clock } from "#lib/time/clock";

/** Why the receiver could not commit lately, in words for operators; `unreached` when it did not get as far as the database. */
type CommitState = { ok: true } | { ok: false; why: string; unreached: boolean };

/** A failure counts for this long, unless a commit succeeds: with no traffic nobody would ever take it back. Milliseconds. */
const REMEMBERED_MS = 30_000;

type Failure = { why: string; unreached: boolean };

/** Knows whether a receiver can store events, as far as it has tried: its last failure, until that is over. */
export class CommitHealth {
  private readonly clock: Pick<Clock, "elapsed">;
  private failure: (Failure & { at: number }) | undefined;

  constructor(clock: Pick<Clock, "elapsed">) {
    this.clock = clock;
  }

  /** It committed: whatever was wrong is over. */
  noteCommitted(): void {
    this.failure = undefined;
  }

  /** Its own connections reach the database again. A full disk or a slow one is not fixed by that. */
  noteReached(): void {
    if (this.failure?.unreached) this.failure = undefined;
  }

  /** It could not commit, or not even learn whose webhook it was. */
  noteNotCommitted(error: unknown): void {
    this.failure = { at: this.clock.elapsed(), ...failureOf(error) };
  }

  /** Returns how it is now. */
  state(): CommitState {
    if (!this.failure || this.clock.elapsed() - this.failure.at >= REMEMBERED_MS) return { ok: true };
    const { why, unreached } = this.failure;
    return { ok: false, why, unreached };
  }
}

/** SQLSTATE codes and messages of the driver, as an operator would say it. */
function failureOf(error: unknown): Failure {
  const { code, message } = unavailabilityOf(error) ?? { code: "", message: (error as Error).message ?? "" };
  if (code === "53100") return { why: "the database's disk is full", unreached: false };
  if (code === "25006") return { why: "the database is read-only", unreached: false };
  if (code.startsWith("53") || /trying to connect/.test(message)) return { why: "no database connection is available", unreached: true };
  if (code === "57014" || (code === "" && /timeout/.test(message))) return { why: "the database is too slow", unreached: false };
  return { why: "the database does not respond", unreached: true };
}
