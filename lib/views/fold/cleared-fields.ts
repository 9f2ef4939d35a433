import type { ViewKind } from "#lib/contracts/views";
import type { ViewDefinition } from "#lib/views/definition/definition";
import { compareOrder, type Register, type Registers } from "./register.ts";

/** Field <- the fields that tell when an event that clears it last happened. */
type Clearing = [field: string, sources: string[]][];

const known = new Map<ViewKind, Clearing>();

function clearingOf(definition: ViewDefinition): Clearing {
  const clearing = known.get(definition.kind) ?? collect(definition);
  known.set(definition.kind, clearing);
  return clearing;
}

function collect({ types }: ViewDefinition): Clearing {
  const sources = new Map<string, string[]>();
  for (const { clears = [], set = {} } of Object.values(types)) {
    const own = Object.keys(set).filter((field) => set[field] === "created");
    for (const field of clears) sources.set(field, [...(sources.get(field) ?? []), ...own]);
  }
  return [...sources];
}

/** The last writer that ends what a field may have said: null now, by that event. Undefined for a field that nothing clears. */
export function clearingRegister(definition: ViewDefinition, registers: Registers, field: string): Register | undefined {
  const fields = clearingOf(definition).find(([cleared]) => cleared === field)?.[1] ?? [];
  const writers = fields.flatMap((each) => registers[each] ?? []);
  const [last] = writers.sort((a, b) => compareOrder(b, a));
  return last && { ...last, v: null };
}

/**
 * Drops, in place, what a later event has ended: the error of a document that was processed after it. By the
 * order of writers, so it makes no difference which of the two came first.
 */
export function dropCleared(definition: ViewDefinition, registers: Registers): void {
  for (const [field, sources] of clearingOf(definition)) {
    const current = registers[field];
    if (current && sources.some((source) => registers[source] && compareOrder(registers[source], current) > 0)) delete registers[field];
  }
}
