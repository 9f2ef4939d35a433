import { isObject } from "#lib/contracts/json/exact-json";
import type { ViewKind, ViewRecord } from "#lib/contracts/views";
import { NO_MAPPING } from "#lib/platform/field-names";
import type { ViewDefinition } from "./definition/definition.ts";
import { DEFINITIONS } from "./definition/definitions.ts";
import { namedPaths } from "./definition/named-paths.ts";
import { mergeRecords, recordOf } from "./fold/fold.ts";
import { FREE_PREFIX } from "./fold/free-fields.ts";
import { payloadWrites } from "./fold/payload-writes.ts";
import { compareOrder, type Register, type Registers } from "./fold/register.ts";
import { FREE_BYTES, NAMED_BYTES, within } from "./fold/storable.ts";

/** Brings registers of earlier releases into today's form: bounded fields and values, each payload field in one place. */
export function repaired(kind: ViewKind, stored: Registers): Registers {
  const settled = mergeRecords(kind, inPlace(kind, stored), {});
  for (const [field, register] of Object.entries(settled)) {
    const v = within(field.startsWith(FREE_PREFIX) ? FREE_BYTES : NAMED_BYTES, register.v);
    if (v !== register.v) settled[field] = { ...register, v };
  }
  return settled;
}

export const storedRecordOf = (kind: ViewKind, id: string, stored: Registers): ViewRecord => recordOf(kind, id, repaired(kind, stored));

/** Moves free fields that belong to a known field (`data.status`) there, with their own order. */
function inPlace(kind: ViewKind, stored: Registers): Registers {
  const definition = DEFINITIONS[kind];
  const misplaced = Object.entries(stored).filter(([field, { v }]) => isMisplaced(definition, field, v));
  if (misplaced.length === 0) return stored;
  let placed = { ...stored };
  for (const [field] of misplaced) delete placed[field];
  for (const [writer, data] of payloadsOf(misplaced)) {
    const writes = payloadWrites(definition, () => false, data, null, NO_MAPPING);
    // A value that the same event wrote there by a better spelling stays.
    const fresh = writes.filter(({ field }) => !placed[field] || compareOrder(placed[field], writer) !== 0);
    const registers = Object.fromEntries(fresh.map(({ field, value }) => [field, { ...writer, v: value }]));
    placed = mergeRecords(kind, placed, registers);
  }
  return placed;
}

function isMisplaced(definition: ViewDefinition, field: string, value: unknown): boolean {
  if (!field.startsWith(FREE_PREFIX)) return false;
  const { paths, containers } = namedPaths(definition, NO_MAPPING);
  const path = field.slice(FREE_PREFIX.length);
  return paths.has(path) || (containers.has(path) && isObject(value));
}

function payloadsOf(fields: [field: string, Register][]): Map<Register, Record<string, unknown>> {
  const payloads = new Map<Register, Record<string, unknown>>();
  for (const [field, register] of fields) {
    const writer = [...payloads.keys()].find((each) => compareOrder(each, register) === 0) ?? register;
    const payload = payloads.get(writer) ?? {};
    put(payload, field.slice(FREE_PREFIX.length).split("."), register.v);
    payloads.set(writer, payload);
  }
  return payloads;
}

function put(object: Record<string, unknown>, [key = "", ...rest]: string[], value: unknown): void {
  if (rest.length === 0) object[key] ??= value;
  else {
    const inner = object[key] ?? {};
    object[key] = inner;
    if (isObject(inner)) put(inner, rest, value);
  }
}
