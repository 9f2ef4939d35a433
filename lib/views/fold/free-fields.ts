import { modeOf, STAGE_PREFIX, type ViewDefinition } from "#lib/views/definition/definition";
import { merge, type Registers } from "./register.ts";

/** Unknown fields are kept under the platform's own names with this prefix. */
export const FREE_PREFIX = "data.";

/** Fields kept of those that payloads name: the platform's own fields, or a pipeline's stages. */
export const MAX_FREE_FIELDS = 200;

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
