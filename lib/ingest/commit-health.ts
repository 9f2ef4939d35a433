import { unavailabilityOf } from "#lib/db/unavailable";
import type { Clock } from "#lib/time/clock";

/** `why` is shown to operators; `unreached`: it did not get as far as the database. */
type CommitState = { ok: true } | { ok: false; why: string; unreached: boolean };

/** A failure counts for this long unless a commit succeeds: without traffic nothing would ever clear it. Milliseconds. */
const REMEMBERED_MS = 30_000;

type Failure = { why: string; unreached: boolean };

export class CommitHealth {
  private readonly clock: Pick<Clock, "elapsed">;
  private failure: (Failure & { at: number }) | undefined;

  constructor(clock: Pick<Clock, "elapsed">) {
    this.clock = clock;
  }

  noteCommitted(): void {
    this.failure = undefined;
  }

  /** Its own connections reach the database again. That does not fix a full disk or a slow one. */
  noteReached(): void {
    if (this.failure?.unreached) this.failure = undefined;
  }

  noteNotCommitted(error: unknown): void {
    this.failure = { at: this.clock.elapsed(), ...failureOf(error) };
  }

  state(): CommitState {
    if (!this.failure || this.clock.elapsed() - this.failure.at >= REMEMBERED_MS) return { ok: true };
    const { why, unreached } = this.failure;
    return { ok: false, why, unreached };
  }
}

function failureOf(error: unknown): Failure {
  const { code, message } = unavailabilityOf(error) ?? { code: "", message: (error as Error).message ?? "" };
  if (code === "53100") return { why: "the database's disk is full", unreached: false };
  if (code === "25006") return { why: "the database is read-only", unreached: false };
  if (code.startsWith("53") || /trying to connect/.test(message)) return { why: "no database connection is available", unreached: true };
  if (code === "57014" || (code === "" && /timeout/.test(message))) return { why: "the database is too slow", unreached: false };
  return { why: "the database does not respond", unreached: true };
}
