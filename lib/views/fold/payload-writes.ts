import { isObject } from "#lib/contracts/exact-json";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import type { ViewKind } from "#lib/contracts/views";
import { type FactName, pathsOf, readFirst, spellingsOf } from "#lib/platform/field-names";
import type { ViewDefinition } from "#lib/views/definitions";
import { FREE_BYTES, NAMED_BYTES, registerText, storable, within } from "./register.ts";
import { FREE_PREFIX } from "./settled-fields.ts";

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

const MAX_REST = 40;
/** Represents the fields beyond the bound, so that nothing is hidden without a note. */
const MORE = `${FREE_PREFIX}…`;

/** Returns up to 40 fields without known facts (`named`) and paths that were read (`used`); the last one tells how many more there are. */
export function restOf(
  data: Record<string, unknown>,
  named: Pick<NamedPaths, "paths" | "containers">,
  used: ReadonlySet<string>,
): { field: string; value: unknown }[] {
  const rest = remaining(data, "", named, used);
  if (rest.length <= MAX_REST) return rest;
  const more = rest.length - MAX_REST + 1;
  return [...rest.slice(0, MAX_REST - 1), { field: MORE, value: `${more} more fields: see the event` }];
}

function remaining(
  value: Record<string, unknown>,
  path: string,
  named: Pick<NamedPaths, "paths" | "containers">,
  used: ReadonlySet<string>,
): { field: string; value: unknown }[] {
  return Object.entries(value).flatMap(([key, part]) => {
    const at = `${path}${key}`;
    if (used.has(at)) return [];
    if (named.containers.has(at) && isObject(part)) return remaining(part, `${at}.`, named, used);
    if (named.paths.has(at)) return [];
    return [{ field: `${FREE_PREFIX}${registerText(at).slice(0, 100).toWellFormed()}`, value: part }];
  });
}

/** Paths that belong to known fields of a kind: one path, one field, whatever the event's type. */
type NamedPaths = {
  facts: [field: string, fact: FactName][];
  /** All paths of these facts and of the kind's IDs, in any spelling. */
  paths: ReadonlySet<string>;
  /** Objects on the way to such paths: `error` for `error.code`. */
  containers: ReadonlySet<string>;
};

const known = new WeakMap<FieldMapping, Map<ViewKind, NamedPaths>>();

export function namedPaths(definition: ViewDefinition, mapping: FieldMapping): NamedPaths {
  const kinds = known.get(mapping) ?? new Map<ViewKind, NamedPaths>();
  known.set(mapping, kinds);
  const paths = kinds.get(definition.kind) ?? collect(definition, mapping);
  kinds.set(definition.kind, paths);
  return paths;
}

function collect({ types, id }: ViewDefinition, mapping: FieldMapping): NamedPaths {
  const facts = new Map<string, FactName>();
  for (const { set = {} } of Object.values(types))
    for (const [field, fact] of Object.entries(set)) if (fact !== "created") facts.set(field, fact);
  const paths = new Set([...facts.values(), ...id].flatMap((fact) => pathsOf(fact, mapping)));
  const containers = new Set([...paths].filter((path) => path.includes(".")).flatMap(ancestors));
  return { facts: [...facts], paths, containers };
}

/** `a.b.c` -> `a`, `a.b` */
function ancestors(path: string): string[] {
  const keys = path.split(".");
  return keys.slice(1).map((_, at) => keys.slice(0, at + 1).join("."));
}
