import type { WorkspaceId } from "#lib/contracts/api/ids";
import { idText } from "#lib/contracts/exact-numbers";
import type { Touch } from "./plan.ts";

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
