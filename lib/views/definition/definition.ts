import type { ViewKind } from "#lib/contracts/views";
import type { FactName } from "#lib/platform/field-names";
import type { Mode } from "#lib/views/fold/register";

export type Effects = {
  /** Orders events of the same second: the lower rank happened first. */
  rank: number;
  state?: string;
  /** Field of the view <- fact of the payload, or `created` for the event's own time. */
  set?: Record<string, FactName | "created">;
  /** Fields of an earlier failure that this event ends. It tells by its field set to `created`, so clearing that must clear these too. */
  clears?: readonly string[];
  /** True where the event is useless without this resource's ID: its absence is a failure, not a skip. */
  required?: true;
};

export type ViewDefinition = {
  kind: ViewKind;
  id: FactName[];
  types: Record<string, Effects>;
  /** States that nothing leaves: no later event restores a deleted document. */
  terminal: string[];
  failed: string[];
  label: string[];
  /** Field with the record it is listed under: a task's pipeline. */
  parent?: string;
  /** Fields that keep their first writer: when a thing was first seen. */
  first?: string[];
  /** Facts whose values are kept as stages, by first sight. */
  stages?: FactName[];
  keepsRest?: true;
};

export const STAGE_PREFIX = "stage:";

export function modeOf({ first }: ViewDefinition, field: string): Mode {
  return first?.includes(field) || field.startsWith(STAGE_PREFIX) ? "first" : "last";
}
