import { formatNumber } from "#components/ui/count";
import type { State } from "#components/ui/state-icon";
import type { RebuildReport, ViewRebuild } from "#lib/contracts/view-rebuilds";

/** `1 event`, `2,000 events`. */
export const countWords = (count: number, one: string, many = `${one}s`): string => `${formatNumber(count)} ${count === 1 ? one : many}`;

/** Records in which the live views were not what the log makes. */
export const wrongRecords = ({ missing, surplus, different }: RebuildReport): number => missing + surplus + different;

/** Moves of tasks that were not what the log makes. */
const wrongMoves = ({ moves }: RebuildReport): number => (moves ? moves.missing + moves.surplus + moves.different : 0);

/** What became of it, as a state and a word. */
export function outcomeOf({ state, dryRun, report }: ViewRebuild): { state: State; word: string } {
  if (state === "failed") return { state: "failed", word: "Failed" };
  if (state === "stopped") return { state: "neutral", word: "Stopped" };
  if (state !== "done" || !report) return { state: "working", word: "Under way" };
  if (wrongRecords(report) + wrongMoves(report) === 0) return { state: "fine", word: "Equal" };
  return dryRun ? { state: "attention", word: "Differs" } : { state: "fine", word: "Corrected" };
}

/** The result as a sentence: what was found, and what was done about it. */
export function sentenceOf({ dryRun, report }: { dryRun: boolean; report: RebuildReport }): string {
  const moves = wrongMoves(report);
  const read = `${countWords(report.events, "event")} read`;
  if (wrongRecords(report) + moves === 0) return `The live views are exactly what the log makes: ${read}, not one difference.`;
  const found = [
    report.different > 0 ? `${countWords(report.different, "record differs", "records differ")}` : null,
    report.missing > 0 ? `${countWords(report.missing, "is", "are")} missing` : null,
    report.surplus > 0 ? `${countWords(report.surplus, "has", "have")} no event` : null,
    moves > 0 ? `${countWords(moves, "move of a task differs", "moves of tasks differ")}` : null,
  ].filter((words) => words !== null);
  const what = `${read}: ${found.join(", ")}.`;
  return dryRun
    ? `${what} Nothing was changed. Rebuild the views to correct it.`
    : `${what} ${countWords(report.corrected, "record was", "records were")} corrected.`;
}
