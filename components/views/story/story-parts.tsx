import { durationWords } from "#components/ui/time/time-format";
import { fieldLine, fieldTime } from "#components/views/field-text";
import type { ViewRecord } from "#lib/contracts/views";

/** One step: what happened, when (ISO 8601), or which record it became. */
export type StoryPart = { words: string; at?: string; task?: ViewRecord };

/** A stay that took longer than a day is shown by its end only. */
const DAY_MS = 86_400_000;

export function storyParts(document: ViewRecord, tasks: ViewRecord[]): StoryPart[] {
  const uploaded = fieldTime(document, "uploadedAt");
  return [
    ...timed("uploaded", uploaded),
    ...processedPart(uploaded, fieldTime(document, "processedAt")),
    ...timed("failed", fieldTime(document, "failedAt")),
    ...tasks.flatMap(taskParts),
    ...timed("deleted", fieldTime(document, "deletedAt")),
  ];
}

function taskParts(task: ViewRecord): StoryPart[] {
  const stage = fieldLine(task, "stage");
  const moved = fieldTime(task, "stageSince");
  return [
    { words: "became task", task },
    ...(stage === null || moved === null ? [] : timed(`moved to ${stage}`, moved)),
    ...timed("completed", fieldTime(task, "completedAt")),
  ];
}

function processedPart(uploaded: string | null, processed: string | null): StoryPart[] {
  if (processed === null) return [];
  const took = uploaded === null ? Number.NaN : Date.parse(processed) - Date.parse(uploaded);
  return took >= 0 && took < DAY_MS
    ? [{ words: `processed after ${took < 1000 ? "less than 1 s" : durationWords(took)}` }]
    : timed("processed", processed);
}

const timed = (words: string, at: string | null): StoryPart[] => (at === null ? [] : [{ words, at }]);
