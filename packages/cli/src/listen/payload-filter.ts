import type { ListenedEvent } from "../../../../lib/contracts/events/listeners.ts";
import { findFilterProblem } from "../../../../lib/contracts/forwarding/event-filter.ts";
import { parseExact } from "../../../../lib/contracts/json/exact-json.ts";
import { Comparisons, compileFilter } from "../../../../lib/forwarding/filter/compile-filter.ts";
import { readPayload } from "../../../../lib/platform/reading/payload.ts";
import { bodyOf } from "../events/show.ts";
import { usageError } from "../output/exit.ts";

export type PayloadFilter = (event: ListenedEvent) => boolean;

/** `--filter`, by the grammar and code of destinations (docs/forwarding.md). @throws CliError: an unknown operator is never ignored */
export function payloadFilter(text: string | undefined): PayloadFilter {
  if (text === undefined) return () => true;
  const filter = readJson(text);
  const problem = filter === undefined ? { path: "", message: "is not JSON" } : findFilterProblem(filter);
  if (problem)
    throw usageError(`--filter ${problem.path && `${problem.path} `}${problem.message}.`, `Write it like '{"data":{"status":"failed"}}'.`);
  const match = compileFilter(filter as Record<string, unknown>);
  return (event) => {
    const payload = readPayload(bodyOf(event));
    // Unbounded: it holds up only the developer who wrote it.
    return payload.ok && match(payload.value, new Comparisons(Number.POSITIVE_INFINITY)) === "matched";
  };
}

function readJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
