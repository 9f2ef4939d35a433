import { Bookmark, BookmarkCheck, X } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { shortId } from "#components/records/resource-id";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { Button } from "#components/ui/primitives/button";
import { useTimeZone } from "#components/ui/time-format";
import { isSameFilter, parametersOf } from "#lib/client/saved-filters";
import { compact } from "#lib/client/url-filter";
import type { Filter, Filters } from "#lib/contracts/api/filters";
import { SAVED_FILTER_PAGES } from "#lib/contracts/saved-filter-pages";
import type { FilterOptions, FilterShellProps } from "./filter-shell-props.tsx";
import { type Occurred, occurredWords, type Period } from "./period.tsx";
import { useSavedFilters } from "./use-saved-filters.tsx";

type FilterActionsProps = FilterShellProps<Filters> & {
  href: string;
  onClear: () => void;
};

/** Shows, saves and clears a filter. One chunk: a button that loaded later would move the other while it is pressed. */
export function FilterActions({ href, onClear, ...shell }: FilterActionsProps) {
  return (
    <>
      <FilterChips {...shell} />
      <SaveFilterButton href={href} />
      <Button variant="ghost" icon={<X aria-hidden />} aria-label="Clear filters" onClick={onClear}>
        Clear
      </Button>
    </>
  );
}

/** These have a field of their own, as has a time of occurrence without one of receipt; one chip stands for both its ends. */
const WITHOUT_CHIP = new Set(["period", "from", "to", "occurredTo"]);

/** Shows each filter that no field of the row shows, with a button to remove it. */
function FilterChips({ filters, filter, hidden = [], options = {}, onChange }: FilterShellProps<Filters>) {
  const zone = useTimeZone();
  const times = filter as Period & Occurred;
  const occurred = times.period || times.from || times.to ? occurredWords(times, zone) : null;
  const chips = Object.entries(filters).flatMap(([name, declared]): [string, string][] => {
    if (name === "occurredFrom") return occurred === null ? [] : [[name, occurred]];
    const value = filter[name];
    return value === undefined || WITHOUT_CHIP.has(name) || hidden.includes(name) ? [] : [[name, chipWords(declared, value, options)]];
  });
  const without = (name: string) =>
    onChange(compact({ ...filter, [name]: undefined, ...(name === "occurredFrom" && { occurredTo: undefined }) }));
  return chips.map(([name, words]) => (
    <Button key={name} icon={<X aria-hidden />} aria-label={`Remove filter ${words}`} onClick={() => without(name)}>
      <span className="max-w-80 truncate text-12">{words}</span>
    </Button>
  ));
}

/** A switch that is on says its label alone; a value has the words of its choice or option, else an ID's ends. */
function chipWords({ label, choices = {}, input }: Filter, value: string | string[] | boolean, options: FilterOptions): string {
  if (input?.as === "switch" && value === input.value) return label;
  const known = input?.as === "select" && input.of !== undefined ? (options[input.of] ?? []) : [];
  const wordsOf = (one: string) => choices[one] ?? known.find((option) => option.value === one)?.label ?? shortId(one);
  const values = [value].flat().map((one) => wordsOf(typeof one === "boolean" ? (one ? "true" : "false") : one));
  const negated: Record<string, string> = { true: "yes", false: "no" };
  return `${label}: ${values.length > 2 ? `${values.length} selected` : values.map((one) => negated[one] ?? one).join(", ")}`;
}

const SavedFilterDialog = lazyComponent(() => import("./saved-filter-dialog.tsx").then((module) => module.SavedFilterDialog));

type SaveFilterButtonProps = {
  /** URL of the list with its filter; only its parameters matter. */
  href: string;
};

/** Saves the filter, or edits it if saved. Shown, disabled, before the saved filters have loaded, so that nothing moves. */
function SaveFilterButton({ href }: SaveFilterButtonProps) {
  const path = usePathname();
  const data = useSavedFilters();
  const [open, setOpen] = useState(false);
  const page = SAVED_FILTER_PAGES.find((each) => path === `/${each}`);
  const parameters = parametersOf(new URLSearchParams(href.split("?")[1]));
  if (page === undefined || Object.keys(parameters).length === 0) return null;
  const saved = data?.data.find((each) => each.page === page && isSameFilter(each.filter, parameters));
  const mayShare = data?.mayShare ?? false;
  const mayChange = saved === undefined || !saved.shared || mayShare;
  if (saved !== undefined && !mayChange) return null;
  return (
    <>
      <Button
        variant="ghost"
        disabled={data === undefined}
        icon={saved ? <BookmarkCheck aria-hidden /> : <Bookmark aria-hidden />}
        onPointerEnter={SavedFilterDialog.preload}
        onClick={() => setOpen(true)}
      >
        <span className="max-[560px]:sr-only">{saved ? "Edit saved filter" : "Save filter"}</span>
      </Button>
      {open ? <SavedFilterDialog {...{ page, parameters, saved, mayShare, onClose: () => setOpen(false) }} /> : null}
    </>
  );
}
