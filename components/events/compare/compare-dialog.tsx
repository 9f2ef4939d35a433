"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { shortId } from "#components/records/resource-id";
import { Field } from "#components/ui/forms/field";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { Dialog } from "#components/ui/overlay/dialog";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { comparePayloads } from "#lib/client/format/compare";
import { eventQuery } from "#lib/client/queries/events/events";
import { formatNumber } from "#lib/contracts/counts/format-count";
import type { EventDetail } from "#lib/contracts/events/events";
import { CompareTable } from "./compare-table.tsx";

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
          <Comparison event={event} otherId={id} />
        )}
      </div>
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

function Comparison({ event, otherId }: { event: EventDetail; otherId: string }) {
  const { data: other, error, isPending, refetch } = useQuery({ ...eventQuery(otherId), retry: false });
  const [all, setAll] = useState(false);
  if (isPending) return <LoadingState what="the other event" rows={6} />;
  if (!other) return <ErrorState what="the other event" error={error} onRetry={() => void refetch()} />;
  const places = comparePayloads(event.envelope, other.envelope);
  const different = places.filter(({ same }) => !same);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-13">
          {different.length === 0
            ? "The payloads are identical."
            : `${formatNumber(different.length)} of ${formatNumber(places.length)} fields differ.`}
        </p>
        <Checkbox checked={all} onCheckedChange={(checked) => setAll(checked)}>
          Show all fields
        </Checkbox>
      </div>
      <CompareTable left={event} right={other} places={all ? places : different} />
    </div>
  );
}
