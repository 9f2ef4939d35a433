"use client";

import { CalendarClock, X } from "lucide-react";
import { useState } from "react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { Popover } from "#components/ui/overlay/popover";
import { Button } from "#components/ui/primitives/button";
import { useClockWords } from "#components/ui/time/use-exact-time";
import { PERIOD_WORDS, type Period } from "./period.tsx";

const PeriodForm = lazyComponent(() => import("./period-form.tsx").then((module) => module.PeriodForm));

type PeriodFilterProps = {
  filter: Period;
  /** The list has a filter for ranges that move with time; otherwise a range begins at the time of the click. */
  moving: boolean;
  onChange: (period: Period) => void;
};

export function PeriodFilter({ filter, moving, onChange }: PeriodFilterProps) {
  const [open, setOpen] = useState(false);
  const set = (period: Period) => {
    onChange({ from: undefined, to: undefined, ...(moving && { period: undefined }), ...period });
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
        <PeriodForm key={`${filter.from} ${filter.to}`} filter={filter} moving={moving} onSet={set} />
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

function usePeriodWords({ period, from, to }: Period): string | null {
  const clockWords = useClockWords(true);
  if (period) return PERIOD_WORDS[period];
  if (!from && !to) return null;
  return `${from ? `from ${clockWords(Date.parse(from))}` : ""} ${to ? `to ${clockWords(Date.parse(to))}` : ""}`.trim();
}
