"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CompareTable } from "#components/events/compare-table";
import { Checkbox } from "#components/ui/checkbox";
import { Dialog } from "#components/ui/dialog";
import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { shortId } from "#components/ui/resource-id";
import { Select } from "#components/ui/select";
import { comparePayloads } from "#lib/client/compare";
import { eventQuery } from "#lib/client/events";
import type { EventDetail } from "#lib/contracts/events";

type CompareDialogProps = { event: EventDetail; open: boolean; onOpenChange: (open: boolean) => void };

/** This event's payload beside another's, place by place. */
export function CompareDialog({ event, open, onOpenChange }: CompareDialogProps) {
  const alike = event.related.find(({ type }) => type === event.type) ?? event.related[0];
  const [chosen, setChosen] = useState<string | null>(null);
  const id = chosen ?? alike?.id ?? "";
  return (
    <Dialog
      title="Compare with another event"
      description="Only what differs is shown, unless you ask for all."
      open={open}
      onOpenChange={onOpenChange}
      className="max-w-[960px]"
    >
      <div className="flex flex-col gap-4">
        <Choice event={event} id={id} onChange={setChosen} />
        {id === "" ? (
          <p className="text-13 text-muted">
            {event.related.length === 0
              ? "No other event speaks of the same resource: paste the id of one."
              : "Choose an event, or paste the id of one."}
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
        <Field label="An event of the same resource">
          <Select value={id} onValueChange={onChange} options={related} placeholder="Another event" />
        </Field>
      )}
      <Field label={related.length === 0 ? "The id of another event" : "Or the id of any event"}>
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
          {different.length === 0 ? "Both payloads say the same." : `${different.length} of ${places.length} places differ.`}
        </p>
        <Checkbox checked={all} onCheckedChange={(checked) => setAll(checked)}>
          Show all places
        </Checkbox>
      </div>
      <CompareTable left={event} right={other} places={all ? places : different} />
    </div>
  );
}
