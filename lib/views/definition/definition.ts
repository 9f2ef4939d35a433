import type { ViewKind } from "#lib/contracts/views";
import type { FactName } from "#lib/platform/field-names";
import type { Mode } from "#lib/views/fold/register";

/** Effect of one event type on one kind of view. */
export type Effects = {
  /** Orders events of the same second: the lower rank happened first. */
  rank: number;
  /** The lifecycle state that the type stands for; absent when it changes none. */
  state?: string;
  /** Field of the view <- fact of the payload, or `created` for the event's own time. */
  set?: Record<string, FactName | "created">;
  /**
   * Fields of another event's failure that this one ends: they go where this event is the later one. It tells by
   * the field that it sets to `created`, so what clears that field must clear these too.
   */
  clears?: readonly string[];
  /** True where the event is worth nothing without this resource's id: its absence is a failure, not a skip. */
  required?: true;
};

/** One kind of view as a table: add a field or a type here, and nowhere else. */
export type ViewDefinition = {
  kind: ViewKind;
  /** The facts that identify it, tried in order. */
  id: FactName[];
  types: Record<string, Effects>;
  /** States that nothing leaves: no later event takes a deleted document back. */
  terminal: string[];
  /** States that mean that something failed. */
  failed: string[];
  /** The fields that name it for people, tried in order. */
  label: string[];
  /** The field that names what it is listed under: a task's pipeline. */
  parent?: string;
  /** Fields that keep their first writer: when a thing was first seen. */
  first?: string[];
  /** Remembers each value of this fact as a stage, by first sight. */
  stages?: FactName[];
  /** Keeps the payload's other top-level fields too, under their own names. */
  keepsRest?: true;
};

/** A stage of a pipeline is a field of its own, by this name and the stage's. */
export const STAGE_PREFIX = "stage:";

/** Returns which writer of a field wins: the last, or the first for what was first seen. */
export function modeOf({ first }: ViewDefinition, field: string): Mode {
  return first?.includes(field) || field.startsWith(STAGE_PREFIX) ? "first" : "last";
}
