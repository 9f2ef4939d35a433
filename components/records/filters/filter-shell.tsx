import { CalendarClock, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { shortId } from "#components/records/resource-id";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { Popover } from "#components/ui/overlay/popover";
import { Button } from "#components/ui/primitives/button";
import { useClockWords } from "#components/ui/time-format";
import { compact, filterHref, readFilter } from "#lib/client/url-filter";
import type { FilterOf, Filters } from "#lib/contracts/api/filters";
import { PERIOD_WORDS, type Period } from "./period.tsx";

/** Loaded when a filter is set; most lists open without one. Its space is reserved, so that nothing moves. */
const FilterActions = lazyComponent(() => import("./filter-actions.tsx").then((module) => module.FilterActions), true);

export type FilterShellProps<F extends Filters> = {
  what: string;
  filters: F;
  filter: FilterOf<F>;
  onChange: (filter: FilterOf<F>) => void;
  /** Filters without a chip: always set, or with a field of their own in `children`. */
  hidden?: readonly (keyof F)[];
  children?: ReactNode;
  menus?: ReactNode;
};

export function FilterShell<F extends Filters>({ what, filters, filter, onChange, hidden = [], children, menus }: FilterShellProps<F>) {
  const fallback = readFilter(filters, new URLSearchParams());
  const href = filterHref("", filters, filter);
  const changed = href !== filterHref("", filters, fallback);
  return (
    <search
      aria-label={`Filter ${what}`}
      onPointerEnter={FilterActions.preload}
      onFocus={FilterActions.preload}
      className="flex flex-wrap items-center gap-2"
    >
      {children}
      {"from" in filters ? (
        <PeriodFilter
          filter={filter as Period}
          moving={"period" in filters}
          onChange={(period) => onChange(compact({ ...filter, ...period }))}
        />
      ) : null}
      {menus}
      <FilterChips filters={filters} filter={filter} hidden={hidden} onChange={onChange} />
      {changed ? (
        <div className="flex min-h-8 min-w-48 flex-wrap items-center gap-2">
          <FilterActions href={href} onClear={() => onChange(fallback)} />
        </div>
      ) : null}
    </search>
  );
}

const PeriodForm = lazyComponent(() => import("./period-form.tsx").then((module) => module.PeriodForm));

type PeriodFilterProps = {
  filter: Period;
  /** The list has a filter for ranges that move with time; otherwise a range begins at the time of the click. */
  moving: boolean;
  onChange: (period: Period) => void;
};

function PeriodFilter({ filter, moving, onChange }: PeriodFilterProps) {
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

type FilterChipsProps<F extends Filters> = {
  filters: F;
  filter: FilterOf<F>;
  hidden: readonly (keyof F)[];
  onChange: (filter: FilterOf<F>) => void;
};

/** These have a field of their own. */
const PERIOD = new Set(["period", "from", "to"]);

/** Shows filters without a field, which only links set, each with a button to remove it. */
function FilterChips<F extends Filters>({ filters, filter, hidden, onChange }: FilterChipsProps<F>) {
  return Object.entries(filters).map(([name, { input, label, choices }]) => {
    const value = filter[name];
    if (input !== undefined || value === undefined || PERIOD.has(name) || hidden.includes(name)) return null;
    const text = `${label}: ${choices?.[String(value)] ?? shortId(String(value))}`;
    return (
      <Button
        key={name}
        icon={<X aria-hidden />}
        aria-label={`Remove filter ${text}`}
        onClick={() => onChange(compact({ ...filter, [name]: undefined }))}
      >
        <span className="max-w-60 truncate text-12">{text}</span>
      </Button>
    );
  });
}
