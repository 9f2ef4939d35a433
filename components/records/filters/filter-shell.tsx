import { CalendarClock, X } from "lucide-react";
import { useState } from "react";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { usePageQuery } from "#components/ui/lists/use-page-query";
import { popoverWith } from "#components/ui/overlay/popover";
import { Button } from "#components/ui/primitives/button";
import { useTimeZone } from "#components/ui/time-format";
import { compact, filterHref, readFilter } from "#lib/client/url-filter";
import type { Filters } from "#lib/contracts/api/filters";
import { type FilterShellProps, PAGE_PARAMETERS } from "./filter-shell-props.tsx";
import { type Occurred, type Period, timeWords } from "./period.tsx";

/** Loaded when a filter is set; most lists open without one. Its space is reserved, so that nothing moves. */
const FilterActions = lazyComponent(() => import("./filter-actions.tsx").then((module) => module.FilterActions), true);
const IgnoredFilters = lazyComponent(() => import("./ignored-filters.tsx").then((module) => module.IgnoredFilters), true);

export function FilterShell<F extends Filters>(props: FilterShellProps<F>) {
  const { what, filters, filter, onChange, children, menus } = props;
  const { query } = usePageQuery();
  const shell = props as unknown as FilterShellProps<Filters>;
  const fallback = readFilter(filters, new URLSearchParams());
  const href = filterHref("", filters, filter);
  const changed = href !== filterHref("", filters, fallback);
  const asked = new URLSearchParams([...query].filter(([name]) => name in filters || !PAGE_PARAMETERS.has(name)));
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
          occurred={"occurredFrom" in filters}
          onChange={(period) => onChange(compact({ ...filter, ...period }))}
        />
      ) : null}
      {menus}
      {changed ? (
        <div className="flex min-h-8 min-w-48 flex-wrap max-[560px]:min-w-32 items-center gap-2">
          <FilterActions {...shell} href={href} onClear={() => onChange(fallback)} />
        </div>
      ) : null}
      {asked.size === 0 || `?${asked}` === href ? null : <IgnoredFilters {...shell} />}
    </search>
  );
}

const loadForm = () => import("./period-form.tsx").then((module) => module.PeriodForm);
const PeriodForm = lazyComponent(loadForm);
const PeriodPopover = popoverWith(loadForm);

type PeriodFilterProps = {
  filter: Period & Occurred;
  moving: boolean;
  occurred: boolean;
  onChange: (period: Period & Occurred) => void;
};

function PeriodFilter({ filter, onChange, ...has }: PeriodFilterProps) {
  const [open, setOpen] = useState(false);
  const set = (period: Period & Occurred) => {
    onChange(period);
    setOpen(false);
  };
  const zone = useTimeZone();
  const words = timeWords(filter, zone);
  return (
    <div className="flex max-w-full">
      <PeriodPopover
        label="Select a time range"
        open={open}
        onOpenChange={setOpen}
        trigger={
          <Button className="min-w-0 max-w-96 shrink font-normal" icon={<CalendarClock aria-hidden className="text-faint" />}>
            <span className="truncate">{words?.text ?? "Any time"}</span>
          </Button>
        }
      >
        <PeriodForm key={Object.values(filter).join()} filter={filter} {...has} onSet={set} />
      </PeriodPopover>
      {words === null ? null : (
        <Button
          variant="ghost"
          className="px-2"
          aria-label={`Clear time range: ${words.text}`}
          icon={<X aria-hidden />}
          onClick={() => set(words.without)}
        />
      )}
    </div>
  );
}
