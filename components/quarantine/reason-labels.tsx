import { QUARANTINE_FILTERS } from "#lib/contracts/filters/quarantine-filters";
import type { QuarantineReason } from "#lib/contracts/quarantine";

export const reasonWords = (reason: QuarantineReason): string => QUARANTINE_FILTERS.reason.choices[reason];
