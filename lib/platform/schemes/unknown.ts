import type { SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { Scheme } from "./scheme.ts";

/** Time for which requests of an unknown sender are kept to learn from. Milliseconds. */
export const LEARNING_MS = 600_000;

/** Nobody knows yet how the sender signs: nothing verifies. */
export const unknownScheme = ({ unknown }: SchemeSettings): Scheme => ({
  trust: "signed",
  headers: [],
  provenBy: "a signature",
  needsSecret: false,
  learnsUntil: Date.parse(unknown?.until ?? ""),
  verify: () => ({ outcome: "signature_missing" }),
  explain: () => ({
    verdict: "It isn't known yet how this source's sender signs.",
    fix: "Paste the sender's secret under Settings > Sources and secrets: Signalbox tries it with every known scheme. Then verify this request again.",
  }),
  sign: () => ({}),
});

/** True for a source that takes nothing until a person sets its sender: its time to learn is over. */
export const hasLearned = ({ learnsUntil }: Scheme, now: number): boolean => learnsUntil !== undefined && !(learnsUntil > now);
