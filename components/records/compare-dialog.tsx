import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { shortId } from "#components/records/resource-id";
import { Field } from "#components/ui/form";
import { withFallback } from "#components/ui/layout/content-states";
import { type Column, DataTable } from "#components/ui/layout/data-table";
import { Dialog } from "#components/ui/overlay/dialog";
import { StateIcon } from "#components/ui/primitives/badge";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { comparePayloads, type Difference } from "#lib/client/format/compare-payloads";
import { eventQuery } from "#lib/client/queries/events";
import { visible } from "#lib/contracts/api/plain-text";
import type { EventDetail } from "#lib/contracts/events/events";
import { countWords, formatNumber, nounFor } from "#lib/contracts/format-count";
import { ValueText } from "./value-text.tsx";

type CompareDialogProps = { event: EventDetail; open: boolean; onOpenChange: (open: boolean) => void };

export function CompareDialog({ event, open, onOpenChange }: CompareDialogProps) {
  const alike = event.related.find(({ type }) => type === event.type) ?? event.related[0];
  const [chosen, setChosen] = useState<string | null>(null);
  const id = chosen ?? alike?.id ?? "";
  return (
    <Dialog
      title="Compare with another event"
      description="Only differences are shown by default."
      open={open}
      onOpenChange={onOpenChange}
      className="max-w-[960px]"
    >
      <div className="flex flex-col gap-4">
        <Choice event={event} id={id} onChange={setChosen} />
        {id === "" ? (
          <p className="text-13 text-muted">
            {event.related.length === 0 ? "No other event has the same subject. Paste an event ID." : "Select an event or paste its ID."}
          </p>
        ) : (
          <Comparison event={event} otherId={id} heads={["This", "Other"]} />
        )}
      </div>
    </Dialog>
  );
}

type ChangeDialogProps = { before: string; after: string; path: string; open: boolean; onOpenChange: (open: boolean) => void };

/** Compares the last event of a shape with the first of another; the field that changed stands first. @param path as schemas write it */
export function ChangeDialog({ before, after, path, open, onOpenChange }: ChangeDialogProps) {
  const { data: event, fallback } = withFallback(useQuery({ ...eventQuery(before), retry: false }), {
    what: "the last event as before",
    loading: "the event",
    rows: 6,
  });
  return (
    <Dialog
      title="Before and after the change"
      description="They are different events, so that IDs and times differ too. The field that changed is first."
      open={open}
      onOpenChange={onOpenChange}
      className="max-w-[960px]"
    >
      {event ? <Comparison event={event} otherId={after} heads={["Last as before", "First with the change"]} first={path} /> : fallback}
    </Dialog>
  );
}

function Choice({ event, id, onChange }: { event: EventDetail; id: string; onChange: (id: string) => void }) {
  const related = event.related.map((other) => ({ value: other.id, label: other.title, hint: shortId(other.id) }));
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {related.length === 0 ? null : (
        <Field label="Event with the same subject">
          <Select value={id} onValueChange={onChange} options={related} placeholder="Select an event" />
        </Field>
      )}
      <Field label={related.length === 0 ? "Event ID" : "Or any event ID"}>
        <Input value={id} onChange={({ target }) => onChange(target.value.trim())} className="font-mono" spellCheck={false} />
      </Field>
    </div>
  );
}

type ComparisonProps = { event: EventDetail; otherId: string; heads: [left: string, right: string]; first?: string };

function Comparison({ event, otherId, heads: [left, right], first }: ComparisonProps) {
  const { data: other, fallback } = withFallback(useQuery({ ...eventQuery(otherId), retry: false }), { what: "the other event", rows: 6 });
  const [all, setAll] = useState(false);
  if (!other) return fallback;
  const places = comparePayloads(event.envelope, other.envelope, first);
  const different = places.filter(({ same }) => !same);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-13">
          {different.length === 0
            ? "The payloads are identical."
            : `${formatNumber(different.length)} of ${countWords(places.length, "field")} ${nounFor(different.length, "differs", "differ")}.`}
        </p>
        <Checkbox checked={all} onCheckedChange={(checked) => setAll(checked)}>
          Show all fields
        </Checkbox>
      </div>
      <CompareTable left={`${left}: ${shortId(event.id)}`} right={`${right}: ${shortId(other.id)}`} places={all ? places : different} />
    </div>
  );
}

/** Shows two payloads side by side. Differences have an icon as well as a colour. */
function CompareTable({ left, right, places }: { left: string; right: string; places: Difference[] }) {
  if (places.length === 0) return null;
  const side = (head: string, sideOf: (place: Difference) => unknown): Column<Difference> => ({
    head,
    headLook: "whitespace-normal",
    look: ({ same }) => `whitespace-normal py-2 align-top ${same ? "" : "bg-attention-surface"}`,
    cell: (place) => <Value value={sideOf(place)} />,
  });
  const columns = [PATH, side(left, (place) => place.left), side(right, (place) => place.right)];
  return <DataTable label="Payload comparison, field by field" scrolls columns={columns} rows={places} keyOf={({ path }) => path} />;
}

const PATH: Column<Difference> = {
  head: "Field",
  headLook: "w-1/4",
  look: "whitespace-normal break-all py-2 align-top font-mono text-12 leading-5",
  cell: ({ path, same }) => (
    <span className="flex min-w-24 items-start gap-1.5">
      {same ? null : <StateIcon state="attention" className="mt-0.5 size-3.5" />}
      <span>
        {visible(path)}
        {same ? null : <span className="sr-only"> differs</span>}
      </span>
    </span>
  ),
};

const Value = ({ value }: { value: unknown }) =>
  value === undefined ? <span className="text-12 text-muted">not present</span> : <ValueText value={value} />;
