import type { State } from "#components/ui/feedback/state-icon";
import { countWords } from "#lib/contracts/counts/format-count";
import type { RebuildReport, ViewRebuild } from "#lib/contracts/view-rebuilds";

/** Number of live records that differ from the log. */
export const wrongRecords = ({ missing, surplus, different }: RebuildReport): number => missing + surplus + different;

const wrongMoves = ({ moves }: RebuildReport): number => (moves ? moves.missing + moves.surplus + moves.different : 0);

export function outcomeOf({ state, dryRun, report }: ViewRebuild): { state: State; word: string } {
  if (state === "failed") return { state: "failed", word: "Failed" };
  if (state === "stopped") return { state: "neutral", word: "Stopped" };
  if (state !== "done" || !report) return { state: "working", word: "Running" };
  if (wrongRecords(report) + wrongMoves(report) === 0) return { state: "fine", word: "Matches" };
  return dryRun ? { state: "attention", word: "Differs" } : { state: "fine", word: "Corrected" };
}

export function sentenceOf({ dryRun, report }: { dryRun: boolean; report: RebuildReport }): string {
  const moves = wrongMoves(report);
  const read = `${countWords(report.events, "event")} replayed`;
  if (wrongRecords(report) + moves === 0) return `Live records match the log: ${read}, no differences.`;
  const found = [
    report.different > 0 ? countWords(report.different, "record differs", "records differ") : null,
    report.missing > 0 ? `${countWords(report.missing, "is", "are")} missing` : null,
    report.surplus > 0 ? `${countWords(report.surplus, "has", "have")} no event` : null,
    moves > 0 ? countWords(moves, "task move differs", "task moves differ") : null,
  ].filter((words) => words !== null);
  const what = `${read}: ${found.join(", ")}.`;
  return dryRun
    ? `${what} Nothing was changed. Rebuild records to correct this.`
    : `${what} ${countWords(report.corrected, "record was", "records were")} corrected.`;
}
