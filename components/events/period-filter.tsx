"use client";

import { CalendarClock, X } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { Popover } from "#components/ui/popover";
import { useClockWords } from "#components/ui/use-exact-words";
import { compact } from "#lib/client/event-filter";
import type { EventFilter, EventPeriod } from "#lib/contracts/events";

const PERIODS: { value: EventPeriod; label: string }[] = [
  { value: "1h", label: "Last hour" },
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
];

type PeriodFilterProps = { filter: EventFilter; onChange: (filter: EventFilter) => void };

/** The period: one that ends now, or from one moment to another. The keyboard's way to what the histogram does. */
export function PeriodFilter({ filter, onChange }: PeriodFilterProps) {
  const [open, setOpen] = useState(false);
  const set = (part: Pick<EventFilter, "period" | "from" | "to">) => {
    onChange(compact({ ...filter, period: undefined, from: undefined, to: undefined, ...part }));
    setOpen(false);
  };
  const words = usePeriodWords(filter);
  return (
    <div className="flex max-w-full">
      <Popover
        label="Choose a period"
        open={open}
        onOpenChange={setOpen}
        trigger={
          <Button className="min-w-0 max-w-80 font-normal" icon={<CalendarClock aria-hidden className="text-faint" />}>
            <span className="truncate">{words ?? "Any time"}</span>
          </Button>
        }
      >
        <div className="flex flex-col gap-3">
          <div className="grid grid-cols-2 gap-2">
            {PERIODS.map(({ value, label }) => (
              <Button key={value} size="sm" aria-pressed={filter.period === value} onClick={() => set({ period: value })}>
                {label}
              </Button>
            ))}
          </div>
          <Between key={`${filter.from} ${filter.to}`} filter={filter} onSet={set} />
        </div>
      </Popover>
      {words === null ? null : (
        <Button
          variant="ghost"
          className="px-2"
          aria-label={`Take the period away: ${words}`}
          icon={<X aria-hidden />}
          onClick={() => set({})}
        />
      )}
    </div>
  );
}

/** The browser's own fields; they speak of local time. */
function Between({ filter, onSet }: { filter: EventFilter; onSet: (part: Pick<EventFilter, "from" | "to">) => void }) {
  const [from, setFrom] = useState(localOf(filter.from));
  const [to, setTo] = useState(localOf(filter.to));
  const iso = (local: string) => (local === "" ? undefined : new Date(local).toISOString());
  return (
    <form
      className="flex flex-col gap-2 border-t border-line pt-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSet({ from: iso(from), to: iso(to) });
      }}
    >
      <Field label="From">
        <Input type="datetime-local" step="1" value={from} onChange={({ target }) => setFrom(target.value)} />
      </Field>
      <Field label="To">
        <Input type="datetime-local" step="1" value={to} onChange={({ target }) => setTo(target.value)} />
      </Field>
      <Button type="submit" size="sm" disabled={from === "" && to === ""}>
        Show this period
      </Button>
    </form>
  );
}

function localOf(iso: string | undefined): string {
  if (iso === undefined) return "";
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The filter's period; null when it has none. */
function usePeriodWords({ period, from, to }: EventFilter): string | null {
  const clockWords = useClockWords(true);
  if (period) return PERIODS.find(({ value }) => value === period)?.label ?? period;
  if (!from && !to) return null;
  return `${from ? `from ${clockWords(Date.parse(from))}` : ""} ${to ? `to ${clockWords(Date.parse(to))}` : ""}`.trim();
}
