import { type EventFilter, findFilterProblem } from "#lib/contracts/forwarding/event-filter";
import { parseExact } from "#lib/contracts/json/exact-json";

export type FilterText = { ok: true; value: EventFilter | null } | { ok: false; why: string };

export function readFilterText(text: string): FilterText {
  if (text.trim() === "") return { ok: true, value: null };
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (error) {
    return { ok: false, why: `Not valid JSON: ${error instanceof Error ? error.message : "it can't be read"}` };
  }
  const problem = findFilterProblem(value);
  if (problem) return { ok: false, why: `${problem.path === "" ? "The filter" : problem.path} ${problem.message}` };
  return { ok: true, value: value as EventFilter };
}
