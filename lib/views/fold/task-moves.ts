import type { WorkspaceId } from "#lib/contracts/api/ids";
import { idText } from "#lib/contracts/json/numbers";
import type { Touch } from "./plan.ts";

/** An event that made a task or put it on a stage. */
export type TaskMove = {
  workspaceId: WorkspaceId;
  eventId: string;
  taskId: string;
  pipelineId: string | null;
  fromStage: string | null;
  /** Null where the event names none: a task that is made without a stage. */
  stage: string | null;
  creates: boolean;
  /** The platform's own time, Unix seconds. */
  at: number;
};

/** A stage is an index key: a longer name is cut. */
const MAX_STAGE = 200;

/** A stage's name as the board's columns know it; null when a value names none. */
export function stageName(value: unknown): string | null {
  if (value === undefined || value === null || value === "") return null;
  const text = typeof value === "string" ? value : (idText(value) ?? JSON.stringify(value) ?? "");
  return text.slice(0, MAX_STAGE).toWellFormed() || null;
}

/** Returns what an event's writes to a task say of its way through the stages: a pure function of the event alone. */
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
    // A task that is made comes from no stage, whatever else its event says.
    fromStage: creates ? null : stageName(written.get("fromStage")?.v),
    stage: stageName(written.get("stage")?.v),
    creates,
    at: register.at,
  };
}
