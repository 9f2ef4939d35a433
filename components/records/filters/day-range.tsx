"use client";

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
      <Input
        type="date"
        aria-label="From"
        value={day(from)}
        max={day(to)}
        onChange={({ target }) => onChange({ from: startOf(target.value), to })}
      />
      to
      <Input
        type="date"
        aria-label="To"
        value={day(to)}
        min={day(from)}
        onChange={({ target }) => onChange({ from, to: endOf(target.value) })}
      />
    </span>
  );
}

/** A day of a date field begins and ends in the reader's time zone. */
const startOf = (day: string) => (day === "" ? undefined : new Date(`${day}T00:00:00`).toISOString());
const endOf = (day: string) => (day === "" ? undefined : new Date(`${day}T23:59:59.999`).toISOString());

function dayOf(moment: string): string {
  const at = new Date(moment);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
