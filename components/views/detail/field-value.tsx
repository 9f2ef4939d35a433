"use client";

import { CodeBlock } from "#components/ui/code-block";
import { ExactTime } from "#components/ui/exact-time";
import { JsonView } from "#components/ui/json-view";
import { RelativeTime } from "#components/ui/relative-time";
import { ResourceId } from "#components/ui/resource-id";
import { durationWords } from "#components/ui/time-words";
import { fieldForm, fieldLabel } from "#components/views/detail/field-words";
import { shareWords, sizeWords, timeOf } from "#components/views/field-text";
import { stateWord, viewHref } from "#components/views/view-words";

const LONG_TEXT = 400;

/** True for a value that is shown as a block: JSON, or a long text. */
export const isBlock = (value: unknown): boolean =>
  (typeof value === "object" && value !== null) || (typeof value === "string" && value.length > LONG_TEXT);

/** A field's value, whatever the platform sent: a moment, a link to another record, text, or any JSON. */
export function FieldValue({ field, value }: { field: string; value: unknown }) {
  if (value === null || value === undefined || value === "") return <span className="text-faint">Empty</span>;
  if (typeof value === "object") return <JsonView value={value} label={fieldLabel(field)} defaultDepth={1} />;
  const form = fieldForm(field);
  if (form === "state") return stateWord(String(value));
  if (form === "time") return <Moment value={value} />;
  if (form === "document" || form === "pipeline" || form === "automation")
    return <ResourceId id={String(value)} href={viewHref(form, String(value))} />;
  if (form === "size") return sizeWords(value);
  if (form === "share") return shareWords(value);
  if (form === "duration" && typeof value === "number") return durationWords(value);
  const text = String(value);
  return text.length > LONG_TEXT ? <CodeBlock code={text} label={fieldLabel(field)} /> : text;
}

function Moment({ value }: { value: unknown }) {
  const at = timeOf(value);
  if (at === null) return String(value);
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <ExactTime at={at} />
      <RelativeTime at={at} className="text-12 text-muted" />
    </span>
  );
}
