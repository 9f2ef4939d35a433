import { fieldTime, timeOf } from "#components/views/field-text";
import type { ViewRecord } from "#lib/contracts/views";

/** Returns when a task entered its stage (ISO 8601): its last move, else its creation, else the event that set the stage. */
export function stageSince(task: ViewRecord): string | null {
  return fieldTime(task, "stageSince") ?? fieldTime(task, "createdAt") ?? timeOf(task.fields.stage?.at);
}

export const isCompleted = (task: ViewRecord): boolean => task.state === "completed";

/** Returns how long the tasks of a stage that are not completed have been there: the median in milliseconds, null for none. */
export function medianStay(tasks: ViewRecord[], now: number): number | null {
  const stays = tasks
    .filter((task) => !isCompleted(task))
    .flatMap((task) => stageSince(task) ?? [])
    .map((since) => Math.max(0, now - Date.parse(since)))
    .sort((a, b) => a - b);
  return stays[Math.floor((stays.length - 1) / 2)] ?? null;
}
