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

/** Returns null as written by the last event that clears a field; undefined for a field that nothing clears. */
export function clearingRegister(definition: ViewDefinition, registers: Registers, field: string): Register | undefined {
  const fields = clearingOf(definition).find(([cleared]) => cleared === field)?.[1] ?? [];
  const writers = fields.flatMap((each) => registers[each] ?? []);
  const [last] = writers.sort((a, b) => compareOrder(b, a));
  return last && { ...last, v: null };
}

/** Deletes fields that a later event has cleared, by the order of writers, so that the order of arrival makes no difference. */
export function dropCleared(definition: ViewDefinition, registers: Registers): void {
  for (const [field, sources] of clearingOf(definition)) {
    const current = registers[field];
    if (current && sources.some((source) => registers[source] && compareOrder(registers[source], current) > 0)) delete registers[field];
  }
}
