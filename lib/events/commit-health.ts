/** Why the receiver could not commit lately, in words for operators. */
export type CommitHealth = { ok: true } | { ok: false; why: string };

/** A failure counts for this long, unless a commit succeeds: with no traffic nobody would ever take it back. Milliseconds. */
const REMEMBERED_MS = 30_000;

const shared = globalThis as typeof globalThis & { signalboxCommitFailure?: { at: number; why: string } | undefined };

/** The receiver committed: whatever was wrong is over. */
export function noteCommitted(): void {
  shared.signalboxCommitFailure = undefined;
}

/** The receiver could not commit, or not even learn whose webhook it was. */
export function noteNotCommitted(error: unknown): void {
  shared.signalboxCommitFailure = { at: Date.now(), why: wordsOf(error) };
}

/** Whether the receiver of this process can store events, as far as it has tried. */
export function commitHealth(now: number): CommitHealth {
  const failure = shared.signalboxCommitFailure;
  return failure && now - failure.at < REMEMBERED_MS ? { ok: false, why: failure.why } : { ok: true };
}

/** SQLSTATE codes and messages of the driver, as an operator would say it. */
function wordsOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: string };
  if (code === "53100") return "the database's disk is full";
  if (code === "25006") return "the database is read-only";
  if (code === "53300" || /trying to connect/.test(message ?? "")) return "no database connection is to be had";
  if (code === "57014" || /timeout/.test(message ?? "")) return "the database is too slow";
  return "the database does not answer";
}
