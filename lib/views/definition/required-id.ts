import type { ViewKind } from "#lib/contracts/views";
import type { FactName } from "#lib/platform/field-names";
import { DEFINITIONS } from "./definitions.ts";

/** Returns the kind of record that an event of this type needs, and the facts that identify it; null for none. */
export function requiredId(type: string): { kind: ViewKind; facts: readonly FactName[] } | null {
  const definition = Object.values(DEFINITIONS).find(({ types }) => types[type]?.required);
  return definition ? { kind: definition.kind, facts: definition.id } : null;
}
