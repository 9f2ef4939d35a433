import type { SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { Scheme } from "./scheme.ts";

/** Time for which requests of an unknown sender are kept to learn from. */
export const LEARNING_MS = 600_000;

/** Verifies nothing until the sender is known. */
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

/** True if the time to learn is over: nothing is accepted until a person sets the sender. */
export const hasLearned = ({ learnsUntil }: Scheme, now: number): boolean => learnsUntil !== undefined && !(learnsUntil > now);
