import { createHash } from "node:crypto";
import { EnvError } from "#lib/config/env";

/** Migration that makes the whole schema of 1.0.0; the 82 before it made the same, step by step. */
const BASELINE = "20261129090000_baseline";

/** SHA-256 of their names in order, a line each. */
const EARLIER = "bad617e2bca4fceea6d677e75f983c73b20fb4ae26a7de7206c36c09e72b8753";

/** Commit that has all of them: an older database passes by it. */
export const COMMIT_OF_EARLIER = "e20c3424";

/** `names` has the baseline in the place of the earlier migrations. `partial`: only some of them were applied. */
export type Folded = { outcome: "known"; names: string[] } | { outcome: "partial"; newest: string };

/** Puts the baseline in the place of the earlier migrations, all of which must have been applied. */
export function foldEarlier(applied: string[]): Folded {
  const earlier = applied.filter((name) => name < BASELINE).sort();
  const names = applied.filter((name) => name >= BASELINE);
  if (earlier.length === 0 || names.includes(BASELINE)) return { outcome: "known", names };
  const digest = createHash("sha256").update(earlier.join("\n")).digest("hex");
  return digest === EARLIER ? { outcome: "known", names: [BASELINE, ...names] } : { outcome: "partial", newest: earlier.at(-1) ?? "" };
}

/** @throws EnvError when only some of the earlier migrations were applied */
export function requireAllEarlier(applied: string[]): string[] {
  const folded = foldEarlier(applied);
  if (folded.outcome === "known") return folded.names;
  throw new EnvError(
    `This database was prepared by a version before 1.0.0 (its newest migration is ${folded.newest}). Nothing was changed.\nStart the version of the commit ${COMMIT_OF_EARLIER} on it once, then this one.`,
  );
}
