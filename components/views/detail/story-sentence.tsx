import { TextLink } from "#components/ui/primitives/page-link";
import { durationWords, useExactWords, useTimeWords } from "#components/ui/time-format";
import { fieldLine, fieldTime, viewHref } from "#components/views/view-labels";
import { visible } from "#lib/contracts/api/plain-text";
import type { ViewDetail, ViewRecord } from "#lib/contracts/views";

/** Shows "Uploaded 21 Nov, 10:02, processed after 40 s, became task Approve invoice." */
export function StorySentence({ view, tasks }: { view: ViewDetail; tasks: ViewRecord[] }) {
  if (view.kind !== "document") return null;
  const parts = storyParts(view, tasks);
  if (parts.length === 0) return null;
  return (
    <p data-story className="max-w-[90ch] text-pretty text-14 first-letter:capitalize">
      {parts.map((part, index) => (
        <span key={`${part.words} ${part.task?.id ?? ""}`}>
          {index === 0 ? "" : ", "}
          <Part part={part} before={parts.slice(0, index).findLast(({ at }) => at)?.at} />
        </span>
      ))}
      .
    </p>
  );
}

function Part({ part: { words, at, task }, before }: { part: StoryPart; before: string | undefined }) {
  if (task) {
    return (
      <>
        {words}{" "}
        <TextLink href={viewHref("task", task.id)}>
          <bdi>{visible(task.label)}</bdi>
        </TextLink>
      </>
    );
  }
  return (
    <>
      {words}
      {at === undefined ? null : (
        <>
          {" "}
          <Clock at={at} before={before} />
        </>
      )}
    </>
  );
}

function Clock({ at, before }: { at: string; before: string | undefined }) {
  const timeWords = useTimeWords();
  const exactWords = useExactWords();
  const day = (iso: string) => timeWords(Date.parse(iso), true).split(",")[0];
  return (
    <time dateTime={at} title={exactWords(Date.parse(at))} className="tabular-nums">
      {timeWords(Date.parse(at), before === undefined || day(before) !== day(at))}
    </time>
  );
}

/** One step: what happened, when (ISO 8601), or which record it became. */
type StoryPart = { words: string; at?: string; task?: ViewRecord };

/** A stay that took longer than a day is shown by its end only. */
const DAY_MS = 86_400_000;

export function storyParts(document: ViewRecord, tasks: ViewRecord[]): StoryPart[] {
  if (document.fields.source) return OTHERS_STEPS.flatMap((state) => timed(state, fieldTime(document, `${state}At`))).sort(byTime);
  const uploaded = fieldTime(document, "uploadedAt");
  return [
    ...timed("uploaded", uploaded),
    ...processedPart(uploaded, fieldTime(document, "processedAt")),
    ...timed("failed", fieldTime(document, "failedAt")),
    ...tasks.flatMap(taskParts),
    ...timed("deleted", fieldTime(document, "deletedAt")),
  ];
}

/** Steps of another platform's document. */
const OTHERS_STEPS = ["uploaded", "sent", "viewed", "signed", "processed", "completed", "declined", "cancelled", "expired", "deleted"];

const byTime = (a: StoryPart, b: StoryPart) => (a.at ?? "").localeCompare(b.at ?? "");

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
