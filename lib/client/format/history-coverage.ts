import type { HistoryCoverage } from "#lib/contracts/events/events";
import { formatNumber } from "#lib/contracts/format-count";

export const coverageWords = ({ read, total, more }: HistoryCoverage): string =>
  `Only the newest ${formatNumber(read)} of ${more ? "more than " : ""}${formatNumber(total)} events were read`;
