"use client";

import { useState } from "react";
import { Field } from "#components/ui/forms/field";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { fieldOfMoment, momentOfField, useTimeZoneChoice } from "#components/ui/time/time-zone";
import type { EventFilter } from "#lib/contracts/events/events";

/** A time range between two times: the browser's own fields, in the zone in which the reader reads times. */
export function PeriodForm({ filter, onSet }: { filter: EventFilter; onSet: (part: Pick<EventFilter, "from" | "to">) => void }) {
  const choice = useTimeZoneChoice();
  const textOf = (iso: string | undefined) => (iso === undefined ? "" : fieldOfMoment(iso, choice));
  const [from, setFrom] = useState(textOf(filter.from));
  const [to, setTo] = useState(textOf(filter.to));
  const iso = (text: string) => (text === "" ? undefined : momentOfField(text, choice).toISOString());
  const zone = choice === "utc" ? " (UTC)" : "";
  return (
    <form
      className="flex flex-col gap-2 border-t border-line pt-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSet({ from: iso(from), to: iso(to) });
      }}
    >
      <Field label={`From${zone}`}>
        <Input type="datetime-local" step="1" value={from} onChange={({ target }) => setFrom(target.value)} />
      </Field>
      <Field label={`To${zone}`}>
        <Input type="datetime-local" step="1" value={to} onChange={({ target }) => setTo(target.value)} />
      </Field>
      <Button type="submit" size="sm" disabled={from === "" && to === ""}>
        Apply
      </Button>
    </form>
  );
}
