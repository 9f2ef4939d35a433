"use client";

import { TextLink } from "#components/ui/layout/text-link";
import { useExactWords, useTimeWords } from "#components/ui/time/use-exact-time";
import { viewHref } from "#components/views/view-labels";
import type { ViewDetail, ViewRecord } from "#lib/contracts/views";
import { type StoryPart, storyParts } from "./story-parts.tsx";

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
        {words} <TextLink href={viewHref("task", task.id)}>{task.label}</TextLink>
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
