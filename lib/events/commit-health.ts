/** Why the receiver could not commit lately, in words for operators; `unreached` when it did not get as far as the database. */
export type CommitHealth = { ok: true } | { ok: false; why: string; unreached: boolean };

/** A failure counts for this long, unless a commit succeeds: with no traffic nobody would ever take it back. Milliseconds. */
const REMEMBERED_MS = 30_000;

type Failure = { why: string; unreached: boolean };

const shared = globalThis as typeof globalThis & { signalboxCommitFailure?: (Failure & { at: number }) | undefined };

/** The receiver committed: whatever was wrong is over. */
export function noteCommitted(): void {
  shared.signalboxCommitFailure = undefined;
}

/** The receiver's own connections reach the database again. A full disk or a slow one is not mended by that. */
export function noteReached(): void {
  if (shared.signalboxCommitFailure?.unreached) shared.signalboxCommitFailure = undefined;
}

/** The receiver could not commit, or not even learn whose webhook it was. */
export function noteNotCommitted(error: unknown): void {
  shared.signalboxCommitFailure = { at: Date.now(), ...failureOf(error) };
}

/** Whether the receiver of this process can store events, as far as it has tried. */
export function commitHealth(now: number): CommitHealth {
  const failure = shared.signalboxCommitFailure;
  return failure && now - failure.at < REMEMBERED_MS ? { ok: false, why: failure.why, unreached: failure.unreached } : { ok: true };
}

/** SQLSTATE codes and messages of the driver, as an operator would say it. */
function failureOf(error: unknown): Failure {
  const { code, message } = error as { code?: unknown; message?: string };
  if (code === "53100") return { why: "the database's disk is full", unreached: false };
  if (code === "25006") return { why: "the database is read-only", unreached: false };
  if (code === "53300" || /trying to connect/.test(message ?? "")) return { why: "no database connection is to be had", unreached: true };
  if (code === "57014" || /timeout/.test(message ?? "")) return { why: "the database is too slow", unreached: false };
  return { why: "the database does not answer", unreached: true };
}
