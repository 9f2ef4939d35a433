import { formatNumber } from "#lib/contracts/counts/format-count";
import type { HistoryCoverage } from "#lib/contracts/events/events";

/** `Only the newest 412 of 2,000 events were read`, for a history that is too large to read in full. */
export const coverageWords = ({ read, total, more }: HistoryCoverage): string =>
  `Only the newest ${formatNumber(read)} of ${more ? "more than " : ""}${formatNumber(total)} events were read`;
