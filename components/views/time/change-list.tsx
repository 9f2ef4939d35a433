import { ArrowRight } from "lucide-react";
import { ResourceId } from "#components/records/resource-id";
import { Section } from "#components/ui/layout/section";
import { ExactTime } from "#components/ui/relative-time";
import { FieldValue } from "#components/views/detail/detail-list";
import { fieldLabel, groupFields } from "#components/views/detail/field-labels";
import { countWords } from "#lib/contracts/format-count";
import type { ViewDetail, ViewField, ViewRecord } from "#lib/contracts/views";

type ChangeListProps = { before: ViewDetail | null; after: ViewDetail; since: string };

export function ChangeList({ before, after, since }: ChangeListProps) {
  const changes = changesBetween(before, after);
  const shown = inOrder(changes.filter(({ changed }) => changed));
  const confirmed = inOrder(changes.filter(({ changed }) => !changed));
  const titles = new Map(after.events.map((event) => [event.id, event.title]));
  const events = new Set(changes.map(({ after: { eventId } }) => eventId)).size;
  return (
    <Section
      title="Changes"
      description={
        <>
          From <ExactTime at={since} /> to {after.asOf === null ? "latest" : <ExactTime at={after.asOf} />}:{" "}
          {shown.length === 0 ? "no changes." : `${countWords(shown.length, "field")}, by ${countWords(events, "event")}.`}
        </>
      }
    >
      {shown.length === 0 ? null : (
        <ul className="border-y border-line divide-y divide-line">
          {shown.map((change) => (
            <Change key={change.field} change={change} title={titles.get(change.after.eventId)} />
          ))}
        </ul>
      )}
      {confirmed.length === 0 ? null : (
        <p className="text-12 text-muted">Set again to the same value: {confirmed.map(({ field }) => fieldLabel(field)).join(", ")}.</p>
      )}
    </Section>
  );
}

function inOrder(changes: FieldChange[]): FieldChange[] {
  const { known, rest } = groupFields(changes.map(({ field }) => field));
  return [...known, ...rest].flatMap((name) => changes.find(({ field }) => field === name) ?? []);
}

function Change({ change: { field, before, after }, title }: { change: FieldChange; title: string | undefined }) {
  return (
    <li className="grid gap-x-4 gap-y-1 py-2 text-13 rail:grid-cols-[128px_minmax(0,1fr)_16px_minmax(0,1fr)_minmax(0,220px)]">
      <span className="text-muted">{fieldLabel(field)}</span>
      <span className="min-w-0 break-words text-muted">
        {before ? <FieldValue field={field} value={before.value} /> : <span className="text-faint">None</span>}
      </span>
      <ArrowRight aria-label="became" className="mt-0.5 size-4 text-faint max-rail:hidden" />
      <span className="flex min-w-0 gap-2 break-words font-medium">
        <ArrowRight className="mt-0.5 size-4 shrink-0 text-faint rail:hidden" />
        <span className="min-w-0 flex-1">
          <FieldValue field={field} value={after.value} />
        </span>
      </span>
      <span className="flex min-w-0 flex-col text-12 text-muted">
        {title ?? "An earlier event"}
        <ResourceId id={after.eventId} href={`/events/${encodeURIComponent(after.eventId)}`} />
      </span>
    </li>
  );
}

/** `before` is null if the field had no value. */
type FieldChange = { field: string; before: ViewField | null; after: ViewField; changed: boolean };

/** Returns the fields set between two times, newest first. `changed` is false if an event set the same value again. */
export function changesBetween(before: Pick<ViewRecord, "fields"> | null, after: Pick<ViewRecord, "fields">): FieldChange[] {
  return Object.entries(after.fields)
    .flatMap(([field, now]): FieldChange[] => {
      const was = before?.fields[field] ?? null;
      if (was && was.eventId === now.eventId && sameValue(was.value, now.value)) return [];
      return [{ field, before: was, after: now, changed: !was || !sameValue(was.value, now.value) }];
    })
    .sort((a, b) => b.after.at.localeCompare(a.after.at) || (a.field < b.field ? -1 : 1));
}

const sameValue = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
