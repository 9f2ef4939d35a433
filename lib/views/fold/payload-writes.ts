import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import { readFirst, spellingsOf } from "#lib/platform/field-names";
import type { ViewDefinition } from "#lib/views/definition/definition";
import { namedPaths } from "#lib/views/definition/named-paths";
import { restOf } from "./rest-fields.ts";
import { FREE_BYTES, NAMED_BYTES, storable, within } from "./storable.ts";

/** Returns the known facts of a payload at their fields, and the rest under their own names. `declared`: looked for in every spelling. */
export function payloadWrites(
  definition: ViewDefinition,
  declared: (field: string) => boolean,
  data: Record<string, unknown>,
  idPath: string | null,
  mapping: FieldMapping,
): { field: string; value: unknown }[] {
  const named = namedPaths(definition, mapping);
  const used = new Set(idPath === null ? [] : [idPath]);
  const writes: { field: string; value: unknown }[] = [];
  for (const [field, fact] of named.facts) {
    const found = readFirst(data, spellingsOf(fact, declared(field), mapping));
    if (!found) continue;
    used.add(found.path);
    writes.push({ field, value: within(NAMED_BYTES, storable(found.value)) });
  }
  if (!definition.keepsRest) return writes;
  const rest = restOf(data, named, used).map(({ field, value }) => ({ field, value: within(FREE_BYTES, storable(value)) }));
  return [...writes, ...rest];
}
