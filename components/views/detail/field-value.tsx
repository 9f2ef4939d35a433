"use client";

import { ResourceName } from "#components/records/resource-name";
import { CodeBlock } from "#components/ui/json/code-block";
import { JsonView } from "#components/ui/json/json-view";
import { ExactTime } from "#components/ui/time/exact-time";
import { RelativeTime } from "#components/ui/time/relative-time";
import { durationWords } from "#components/ui/time/time-format";
import { shareWords, sizeWords, timeOf } from "#components/views/field-text";
import { stateWord, viewHref } from "#components/views/view-labels";
import { isExactNumber } from "#lib/contracts/json/exact-json";
import { doubleOf, idText } from "#lib/contracts/json/numbers";
import type { ViewRecord } from "#lib/contracts/views";
import { fieldForm, fieldLabel } from "./field-labels.tsx";

const LONG_TEXT = 400;

export const isBlock = (value: unknown): boolean =>
  (typeof value === "object" && value !== null && !isExactNumber(value)) || (typeof value === "string" && value.length > LONG_TEXT);

/** Shows any value that the platform sent. `names` has the names of linked records. */
export function FieldValue({ field, value, names = {} }: { field: string; value: unknown; names?: ViewRecord["names"] }) {
  if (value === null || value === undefined || value === "") return <span className="text-faint">Empty</span>;
  if (typeof value === "object" && !isExactNumber(value)) return <JsonView value={value} label={fieldLabel(field)} defaultDepth={1} />;
  const form = fieldForm(field);
  if (form === "state") return stateWord(String(value));
  if (form === "time") return <Moment value={value} />;
  if (form === "document" || form === "pipeline" || form === "automation") {
    const id = idText(value) ?? String(value);
    return <ResourceName resource={{ id, name: names[`${form}:${id}`] }} href={viewHref(form, id)} />;
  }
  if (form === "size") return sizeWords(value);
  if (form === "share") return shareWords(value);
  const double = doubleOf(value);
  if (form === "duration" && double !== undefined) return durationWords(double);
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
