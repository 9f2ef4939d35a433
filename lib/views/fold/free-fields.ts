import { modeOf, STAGE_PREFIX, type ViewDefinition } from "#lib/views/definition/definition";
import { merge, type Registers } from "./register.ts";

/** Fields that no view knows stand under the platform's own names behind this. */
export const FREE_PREFIX = "data.";

/** Number of fields that are kept of those that payloads name: the platform's own fields, or a pipeline's stages. */
export const MAX_FREE_FIELDS = 200;

/** Stands in a record that has more: the first of the names that were left out, as its writer set it. */
export const LEFT_OUT = "freeFieldsLeftOut";

/** A field whose name comes from a payload, so that their number has no bound of its own. */
export const isFree = (field: string) => field.startsWith(FREE_PREFIX) || field.startsWith(STAGE_PREFIX);

/**
 * Keeps the first 200 free fields of a record in the order of their names, in place. A name that is among the
 * first 200 of all is among the first 200 of any part of them, so none that stays was ever left out before: any
 * order of events with any repetition, and any grouping into batches, gives the same record.
 */
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

/** The mark of two folds of the same record: of two names the first, of the same name the same writer as if it were kept. */
export function mergeLeftOut(definition: ViewDefinition, a: Registers[string] | undefined, b: Registers[string]): Registers[string] {
  if (!a) return b;
  const [one, other] = [String(a.v), String(b.v)];
  return one === other ? merge(a, b, modeOf(definition, one)) : one < other ? a : b;
}
