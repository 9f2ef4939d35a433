import { useState } from "react";
import { Field } from "#components/ui/form";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { fieldOfMoment, momentOfField, useTimeZoneChoice } from "#components/ui/time-format";
import type { EventPeriod } from "#lib/contracts/events/events";
import { PERIOD_WORDS, type Period } from "./period.tsx";

const HOUR_MS = 3_600_000;
const LASTS: Record<EventPeriod, number> = { "1h": HOUR_MS, "24h": 24 * HOUR_MS, "7d": 7 * 24 * HOUR_MS, "30d": 30 * 24 * HOUR_MS };
const PERIODS = Object.keys(LASTS) as EventPeriod[];

type PeriodFormProps = { filter: Period; moving: boolean; onSet: (period: Period) => void };

/** Asks for a time range, in the time zone in which the user reads times. */
export function PeriodForm({ filter, moving, onSet }: PeriodFormProps) {
  const choice = useTimeZoneChoice();
  const textOf = (iso: string | undefined) => (iso === undefined ? "" : fieldOfMoment(iso, choice));
  const [from, setFrom] = useState(textOf(filter.from));
  const [to, setTo] = useState(textOf(filter.to));
  const iso = (text: string) => (text === "" ? undefined : momentOfField(text, choice).toISOString());
  const zone = choice === "utc" ? " (UTC)" : "";
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-2">
        {PERIODS.map((period) => (
          <Button
            key={period}
            size="sm"
            aria-pressed={filter.period === period}
            onClick={() => onSet(moving ? { period } : { from: new Date(Date.now() - LASTS[period]).toISOString() })}
          >
            {PERIOD_WORDS[period]}
          </Button>
        ))}
      </div>
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
    </div>
  );
}
