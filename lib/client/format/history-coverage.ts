import { formatNumber } from "#lib/contracts/counts/format-count";
import type { HistoryCoverage } from "#lib/contracts/events/events";

export const coverageWords = ({ read, total, more }: HistoryCoverage): string =>
  `Only the newest ${formatNumber(read)} of ${more ? "more than " : ""}${formatNumber(total)} events were read`;
