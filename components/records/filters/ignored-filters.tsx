import { TriangleAlert } from "lucide-react";
import { usePageQuery } from "#components/ui/lists/use-page-query";
import { writeFilter } from "#lib/client/url-filter";
import type { FilterOf, Filters } from "#lib/contracts/api/filters";
import { nearestOf, shownName } from "#lib/contracts/unknown-name";
import { PAGE_PARAMETERS } from "./filter-shell-props.tsx";

type IgnoredFiltersProps = { what: string; filters: Filters; filter: FilterOf<Filters> };

/** Names what the URL asks for and the list ignores, with the nearest that it knows: a mistyped link must not look like an answer. */
export function IgnoredFilters({ what, filters, filter }: IgnoredFiltersProps) {
  const { query } = usePageQuery();
  const ignored = ignoredOf(what, filters, filter, query);
  if (ignored.length === 0) return null;
  return (
    <p role="status" className="flex basis-full items-start gap-2 text-12 text-muted">
      <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0 text-attention" />
      <span className="min-w-0 break-words">Ignored in the URL: {ignored.join(" ")}</span>
    </p>
  );
}

/** Returns a sentence for each parameter that the list does not know, or whose value it can't take. */
export function ignoredOf<F extends Filters>(what: string, filters: F, filter: FilterOf<F>, query: URLSearchParams): string[] {
  const read = writeFilter(filters, filter);
  const sentences = [...query].flatMap(([name, value]) => {
    const declared = filters[name];
    if (!declared)
      return PAGE_PARAMETERS.has(name) ? [] : [`no filter of ${what} is named “${shownName(name)}”${meant(name, Object.keys(filters))}`];
    const taken = value === "" || value === "all" || read.getAll(name).includes(value.trim().slice(0, 1000));
    if (taken || (declared.value.kind === "text" && read.has(name))) return [];
    return [`“${shownName(value)}” is no value of ${name}${meant(value, valuesOf(declared.value))}`];
  });
  return [...new Set(sentences)];
}

function meant(said: string, known: readonly string[]): string {
  const nearest = nearestOf(shownName(said), known);
  return nearest === null ? "." : `; did you mean “${nearest}”?`;
}

const valuesOf = (value: Filters[string]["value"]): readonly string[] =>
  value.kind === "choice" || value.kind === "choices" ? value.values : value.kind === "flag" ? ["true", "false"] : [];
