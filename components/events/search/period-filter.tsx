"use client";

import { CalendarClock, X } from "lucide-react";
import { useState } from "react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { Popover } from "#components/ui/overlay/popover";
import { Button } from "#components/ui/primitives/button";
import { useClockWords } from "#components/ui/time/use-exact-time";
import { compact } from "#lib/client/url-filter";
import type { EventFilter, EventPeriod } from "#lib/contracts/events/events";

const PeriodForm = lazyComponent(() => import("./period-form.tsx").then((module) => module.PeriodForm));

const PERIODS: { value: EventPeriod; label: string }[] = [
  { value: "1h", label: "Last hour" },
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
];

type PeriodFilterProps = { filter: EventFilter; onChange: (filter: EventFilter) => void };

/** The time range: one that ends now, or between two times. Does by keyboard what the histogram does by pointer. */
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
        label="Select a time range"
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
          <PeriodForm key={`${filter.from} ${filter.to}`} filter={filter} onSet={set} />
        </div>
      </Popover>
      {words === null ? null : (
        <Button
          variant="ghost"
          className="px-2"
          aria-label={`Clear time range: ${words}`}
          icon={<X aria-hidden />}
          onClick={() => set({})}
        />
      )}
    </div>
  );
}

/** The filter's time range in words; null when it has none. */
function usePeriodWords({ period, from, to }: EventFilter): string | null {
  const clockWords = useClockWords(true);
  if (period) return PERIODS.find(({ value }) => value === period)?.label ?? period;
  if (!from && !to) return null;
  return `${from ? `from ${clockWords(Date.parse(from))}` : ""} ${to ? `to ${clockWords(Date.parse(to))}` : ""}`.trim();
}
