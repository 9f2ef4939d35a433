import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import type { ViewKind } from "#lib/contracts/views";
import { type FactName, pathsOf } from "#lib/platform/field-names";
import type { ViewDefinition } from "./definition.ts";

/** Paths that belong to known fields of a kind: one path, one field, whatever the event's type. */
export type NamedPaths = {
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
