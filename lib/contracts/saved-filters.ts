import * as z from "zod/mini";
import { type Filter, type Filters, MAX_REPEATS, readFilterValue } from "./api/filters.ts";
import { MOMENT_ERROR, nameText, pageOf, text } from "./api/parameters.ts";
import { CONNECTION_FILTERS } from "./connection-filters.ts";
import { EVENT_FILTERS, SEEKS_NOTHING, seeksNothing } from "./events/event-filters.ts";
import { ISSUE_FILTERS } from "./issue-filters.ts";
import { VIEW_FILTERS } from "./list-filters.ts";
import { MISSING_EVENT_FILTERS } from "./missing-event-filters.ts";
import { QUARANTINE_FILTERS } from "./quarantine-filters.ts";
import { SAVED_FILTER_PAGES } from "./saved-filter-pages.ts";

export const savedFilterPage = z.enum(SAVED_FILTER_PAGES);
type SavedFilterPage = z.infer<typeof savedFilterPage>;

const DECLARED: Record<SavedFilterPage, Filters> = {
  events: EVENT_FILTERS,
  issues: ISSUE_FILTERS,
  "missing-events": MISSING_EVENT_FILTERS,
  quarantine: QUARANTINE_FILTERS,
  connections: CONNECTION_FILTERS,
  documents: VIEW_FILTERS,
  tasks: VIEW_FILTERS,
  pipelines: VIEW_FILTERS,
  automations: VIEW_FILTERS,
  integrations: VIEW_FILTERS,
  records: VIEW_FILTERS,
};

const MAX_VALUE = 1000;
const MAX_NAMES = 20;

/** As in the page's URL: `{ "type": ["document.error"], "period": ["24h"] }`. */
const parameters = z.record(text(60), z.array(text(MAX_VALUE)).check(z.minLength(1), z.maxLength(MAX_REPEATS))).check(
  z.refine((filter) => Object.keys(filter).length <= MAX_NAMES, { error: `must have at most ${MAX_NAMES} parameters` }),
  z.refine((filter) => Object.keys(filter).length > 0, { error: "must contain at least one filter" }),
);

/** A private one is visible only to its owner. */
export const savedFilter = z.object({
  id: z.string(),
  name: z.string(),
  page: savedFilterPage,
  filter: z.record(z.string(), z.array(z.string())),
  shared: z.boolean(),
  own: z.boolean(),
  ownerName: z.string(),
  createdAt: z.string(),
});
export type SavedFilter = z.infer<typeof savedFilter>;
export const savedFilterList = z.extend(pageOf(savedFilter), { mayShare: z.boolean() });
export type SavedFilterList = z.infer<typeof savedFilterList>;

export const createSavedFilterBody = z.object({
  name: nameText(80),
  page: savedFilterPage,
  filter: parameters,
  shared: z._default(z.boolean(), false),
});
export type CreateSavedFilterBody = z.infer<typeof createSavedFilterBody>;

export const changeSavedFilterBody = z.object({
  name: z.optional(nameText(80)),
  filter: z.optional(parameters),
  shared: z.optional(z.boolean()),
});
export type ChangeSavedFilterBody = z.infer<typeof changeSavedFilterBody>;

/** Characters of wrong values in an answer. */
const MAX_SHOWN = 100;

type FilterProblem = { path: string; message: string };

/** Returns what of a filter the page's list does not take: each wrong name, and each wrong value with what it may be. */
export function findFilterProblems(page: SavedFilterPage, filter: Record<string, string[]>): FilterProblem[] {
  const declared = DECLARED[page];
  return Object.entries(filter).flatMap(([name, values]) => {
    const each = Object.hasOwn(declared, name) ? declared[name] : undefined;
    const message = each
      ? valueProblem(each, values)
      : `the list of ${page} can't be filtered by ${name}, but by ${Object.keys(declared).join(", ")}.`;
    const nothing = page === "events" && name === "q" && seeksNothing({ q: values[0] }) ? SEEKS_NOTHING : null;
    return [message, nothing].flatMap((found) => (found === null ? [] : [{ path: `filter.${name}`, message: found }]));
  });
}

function valueProblem({ value, fallback }: Filter, values: string[]): string | null {
  // `all` lifts the page's default.
  if (fallback !== undefined && values[0] === "all") return null;
  const { kind } = value;
  const wrong = kind === "choice" || kind === "choices" ? values.filter((each) => !value.values.includes(each)) : [];
  if (wrong.length === 0 && readFilterValue(value, values) !== undefined) return null;
  switch (kind) {
    case "choice":
    case "choices":
      return `can't be ${wrong.join(", ").slice(0, MAX_SHOWN).toWellFormed()}. Use ${value.values.join(", ")}.`;
    case "flag":
      return "must be true or false.";
    case "moment":
      return `${MOMENT_ERROR}.`;
    case "text":
      return `${value.error ?? "must have text"}.`;
    case "texts":
      return `must have 1 to ${value.max} characters.`;
    default:
      return value satisfies never;
  }
}
