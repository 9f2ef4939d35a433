"use client";

import { useState } from "react";
import { useHydrated } from "#components/ui/lists/use-hydrated";
import { Input } from "#components/ui/primitives/input";

type Range = { from?: string | undefined; to?: string | undefined };

/** A period of whole days in the reader's time zone; each end may be open. */
export function DayRange({ from, to, onChange }: Range & { onChange: (range: Range) => void }) {
  // The server does not know the reader's time zone.
  const hydrated = useHydrated();
  const day = (moment: string | undefined) => (hydrated && moment !== undefined ? dayOf(moment) : "");
  return (
    <span className="flex items-center gap-2 text-muted max-rail:w-full">
      <DayField label="From" day={day(from)} max={day(to)} onChange={(next) => onChange({ from: startOf(next), to })} />
      to
      <DayField label="To" day={day(to)} min={day(from)} onChange={(next) => onChange({ from, to: endOf(next) })} />
    </span>
  );
}

type DayFieldProps = { label: string; day: string; min?: string; max?: string; onChange: (day: string) => void };

/** While a year is typed, the field says 0002, 0020 and 0202 before it says 2026: those are kept here, and filter nothing. */
function DayField({ label, day, onChange, ...bounds }: DayFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Input
      type="date"
      aria-label={label}
      value={typed ?? day}
      {...bounds}
      onChange={({ target: { value } }) => {
        const isWhole = value === "" || value >= "1000";
        setTyped(isWhole ? null : value);
        if (isWhole) onChange(value);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

/** A day of a date field begins and ends in the reader's time zone. */
const startOf = (day: string) => (day === "" ? undefined : new Date(`${day}T00:00:00`).toISOString());
const endOf = (day: string) => (day === "" ? undefined : new Date(`${day}T23:59:59.999`).toISOString());

function dayOf(moment: string): string {
  const at = new Date(moment);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
