import { fieldTime, timeOf } from "#components/views/field-text";
import type { ViewRecord } from "#lib/contracts/views";

/** Returns when a task entered its stage (ISO 8601): its last move, else its creation, else the event that set the stage. */
export function stageSince(task: ViewRecord): string | null {
  return fieldTime(task, "stageSince") ?? fieldTime(task, "createdAt") ?? timeOf(task.fields.stage?.at);
}

export const isCompleted = (task: ViewRecord): boolean => task.state === "completed";

/** Returns the median stay of a stage's active tasks in milliseconds; null if there are none. */
export function medianStay(tasks: ViewRecord[], now: number): number | null {
  const stays = tasks
    .filter((task) => !isCompleted(task))
    .flatMap((task) => stageSince(task) ?? [])
    .map((since) => Math.max(0, now - Date.parse(since)))
    .sort((a, b) => a - b);
  return stays[Math.floor((stays.length - 1) / 2)] ?? null;
}
