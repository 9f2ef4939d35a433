import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { usePageQuery } from "#components/ui/lists/use-page-query";
import { writeFilter } from "#lib/client/url-filter";
import type { FilterOf, Filters } from "#lib/contracts/api/filters";
import { nearestOf, shownName } from "#lib/contracts/unknown-name";
import { type FilterOptions, PAGE_PARAMETERS } from "./filter-shell-props.tsx";

type IgnoredFiltersProps = { what: string; filters: Filters; filter: FilterOf<Filters> };

/** Names what the URL asks for and the list ignores, with the nearest that it knows: a mistyped link must not look like an answer. */
export function IgnoredFilters({ what, filters, filter }: IgnoredFiltersProps) {
  const { query } = usePageQuery();
  const ignored = ignoredOf(what, filters, filter, query);
  return ignored.length === 0 ? null : <Note>Ignored in the URL: {ignored.join(" ")}</Note>;
}

const Note = ({ children }: { children: ReactNode }) => (
  <p role="status" className="flex basis-full items-start gap-2 text-12 text-muted">
    <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0 text-attention" />
    <span className="min-w-0 break-words">{children}</span>
  </p>
);

/** Names the choices of a URL that nothing in the list has, with the nearest that there is. */
export function StrangeChoices({ what, filters, filter, options }: IgnoredFiltersProps & { options: FilterOptions }) {
  const strange = strangeOf(what, filters, filter, options);
  return strange.length === 0 ? null : <Note>{strange.join(" ")}</Note>;
}

/** All sources are known. A sender's own states are not: one is named only where it is near to a known one. */
export function strangeOf<F extends Filters>(what: string, filters: F, filter: FilterOf<F>, options: FilterOptions): string[] {
  return Object.entries(filters).flatMap(([name, { label, input }]) => {
    const chosen = filter[name];
    const of = input?.as === "select" ? input.of : undefined;
    const known = (of === undefined ? [] : (options[of] ?? [])).map(({ value }) => value);
    if (typeof chosen !== "string" || known.length === 0 || known.includes(chosen)) return [];
    const nearest = meant(chosen, known);
    if (of === "sources") return [`No source is named “${shownName(chosen)}”${nearest}`];
    return nearest === "." ? [] : [`“${shownName(chosen)}” is no usual ${label.toLowerCase()} of ${what}${nearest}`];
  });
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
