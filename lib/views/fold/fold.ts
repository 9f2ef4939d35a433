import type { WorkspaceId } from "#lib/contracts/api/ids";
import { idText } from "#lib/contracts/exact-numbers";
import type { ViewKind, ViewRecord } from "#lib/contracts/views";
import { DEFINITIONS, modeOf } from "#lib/views/definitions";
import { isoOf, type Touch } from "./plan.ts";
import { merge, type Register, type Registers } from "./register.ts";
import { capFreeFields, dropCleared, LEFT_OUT, mergeLeftOut } from "./settled-fields.ts";

/** Applies one event's writes to a record. Commutative and idempotent: any order with any repetition gives the same registers. */
export function applyTouch(registers: Registers, touch: Touch): Registers {
  const next: Registers = { ...registers };
  for (const { field, register } of touch.writes) next[field] = mergeField(touch.kind, field, next[field], register);
  return settle(touch.kind, next);
}

/** Merges two folds of the same record. Commutative, associative and idempotent. */
export function mergeRecords(kind: ViewKind, a: Registers, b: Registers): Registers {
  const merged: Registers = { ...a };
  for (const [field, register] of Object.entries(b)) merged[field] = mergeField(kind, field, merged[field], register);
  return settle(kind, merged);
}

function settle(kind: ViewKind, registers: Registers): Registers {
  dropCleared(DEFINITIONS[kind], registers);
  capFreeFields(DEFINITIONS[kind], registers);
  return registers;
}

function mergeField(kind: ViewKind, field: string, current: Register | undefined, writer: Register): Register {
  if (field === LEFT_OUT) return mergeLeftOut(DEFINITIONS[kind], current, writer);
  if (field === "state") return mergeState(current, writer, DEFINITIONS[kind].terminal);
  return merge(current, writer, modeOf(DEFINITIONS[kind], field));
}

/** A terminal state outranks any other, whenever it came; among equals the last writer wins. */
function mergeState(current: Register | undefined, writer: Register, terminal: string[]): Register {
  if (!current) return writer;
  const [currentEnds, writerEnds] = [terminal.includes(String(current.v)), terminal.includes(String(writer.v))];
  if (currentEnds !== writerEnds) return writerEnds ? writer : current;
  return merge(current, writer, "last");
}

export type Summary = {
  state: string;
  failed: boolean;
  parent: string | null;
  stage: string | null;
  label: string | null;
  lastCreated: number;
};

export function summarize(kind: ViewKind, registers: Registers): Summary {
  const definition = DEFINITIONS[kind];
  const state = String(registers.state?.v ?? "unknown");
  const parent = definition.parent ? registers[definition.parent]?.v : undefined;
  return {
    state,
    failed: definition.failed.includes(state),
    parent: parent === undefined || parent === null ? null : (idText(parent) ?? String(parent)).slice(0, 400),
    stage: kind === "task" ? stageName(registers.stage?.v) : null,
    label: labelOf(kind, registers),
    // Not spread into Math.max: a record may have more fields than a call takes arguments.
    lastCreated: Object.values(registers).reduce((latest, { at }) => Math.max(latest, at), 0),
  };
}

function labelOf(kind: ViewKind, registers: Registers): string | null {
  const label = DEFINITIONS[kind].label.map((field) => registers[field]?.v).find((value) => typeof value === "string" && value !== "");
  return typeof label === "string" ? label : null;
}

export function recordOf(kind: ViewKind, id: string, registers: Registers): ViewRecord {
  const { state, failed, parent, label, lastCreated } = summarize(kind, registers);
  const { [LEFT_OUT]: leftOut, ...shown } = registers;
  const fields = Object.entries(shown).map(
    ([field, { v, at, id: eventId }]) => [field, { value: v, eventId, at: isoOf(at) ?? "" }] as const,
  );
  return {
    kind,
    id,
    label: label ?? id,
    state,
    failed,
    parent,
    fields: Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1))),
    lastEventAt: Object.keys(shown).length === 0 ? "" : (isoOf(lastCreated) ?? ""),
    ...(leftOut ? { fieldsLeftOut: true as const } : {}),
  };
}

export type TaskMove = {
  workspaceId: WorkspaceId;
  eventId: string;
  taskId: string;
  pipelineId: string | null;
  fromStage: string | null;
  /** Null for a task that is created without a stage. */
  stage: string | null;
  creates: boolean;
  /** The platform's own time, Unix seconds. */
  at: number;
};

/** A stage is an index key: a longer name is cut. */
const MAX_STAGE = 200;

export function stageName(value: unknown): string | null {
  if (value === undefined || value === null || value === "") return null;
  const text = typeof value === "string" ? value : (idText(value) ?? JSON.stringify(value) ?? "");
  return text.slice(0, MAX_STAGE).toWellFormed() || null;
}

export function moveOf(workspaceId: WorkspaceId, { kind, id, writes }: Touch): TaskMove | null {
  if (kind !== "task") return null;
  const written = new Map(writes.map(({ field, register }) => [field, register]));
  const creates = written.has("createdAt");
  const register = written.get("createdAt") ?? written.get("stageSince");
  if (!register) return null;
  const pipelineId = idText(written.get("pipelineId")?.v);
  return {
    workspaceId,
    eventId: register.id,
    taskId: id,
    pipelineId: pipelineId?.slice(0, 400) ?? null,
    // A created task comes from no stage, whatever else its event says.
    fromStage: creates ? null : stageName(written.get("fromStage")?.v),
    stage: stageName(written.get("stage")?.v),
    creates,
    at: register.at,
  };
}
