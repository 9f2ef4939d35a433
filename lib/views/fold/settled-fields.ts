import type { ViewKind } from "#lib/contracts/views";
import { modeOf, STAGE_PREFIX, type ViewDefinition } from "#lib/views/definitions";
import { compareOrder, merge, type Register, type Registers } from "./register.ts";

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

/** Unknown fields are kept under the platform's own names with this prefix. */
export const FREE_PREFIX = "data.";

/** Fields kept of those that payloads name: the platform's own fields, or a pipeline's stages. */
const MAX_FREE_FIELDS = 200;

/** Marks a record with more: its value is the first name that was left out. */
export const LEFT_OUT = "freeFieldsLeftOut";

/** True for a field whose name comes from a payload, so that their number has no bound of its own. */
export const isFree = (field: string) => field.startsWith(FREE_PREFIX) || field.startsWith(STAGE_PREFIX);

/** Keeps the first 200 free fields by name. One that stays was never left out before, so any order or grouping of events gives the same. */
export function capFreeFields(definition: ViewDefinition, registers: Registers): void {
  const free = Object.keys(registers).filter(isFree);
  const border = registers[LEFT_OUT]?.v as string | undefined;
  if (free.length <= MAX_FREE_FIELDS && border === undefined) return;
  const within = free.filter((field) => border === undefined || field < border).sort();
  const first = within[MAX_FREE_FIELDS] ?? border;
  if (first === undefined) return;
  const current = registers[first];
  const writer = current && { ...current, v: first };
  if (writer) registers[LEFT_OUT] = merge(first === border ? registers[LEFT_OUT] : undefined, writer, modeOf(definition, first));
  for (const field of free) if (field >= first) delete registers[field];
}

/** Merges the marks of two folds: the first name stays; of the same name the writer that would stay if it were kept. */
export function mergeLeftOut(definition: ViewDefinition, a: Registers[string] | undefined, b: Registers[string]): Registers[string] {
  if (!a) return b;
  const [one, other] = [String(a.v), String(b.v)];
  return one === other ? merge(a, b, modeOf(definition, one)) : one < other ? a : b;
}
