import { isAppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page, UnknownInFilter } from "#lib/contracts/api/parameters";
import {
  EVENT_FILTERS,
  EVENT_STATES,
  type EventFilter,
  isOfType,
  isTypePattern,
  SEEKS_NOTHING,
  seeksNothing,
  typePatternOf,
} from "#lib/contracts/events/event-filters";
import type { EventField } from "#lib/contracts/events/events";
import { nearestOf, shownName } from "#lib/contracts/unknown-name";
import { listEvents } from "#lib/events/event-store";
import { holdTerms } from "#lib/events/search/coverage-store";
import { listLogTypes } from "#lib/events/search/log-types-store";
import { type NamedTerm, namedTermsOf, payloadPath, valueAt } from "#lib/events/search/query";
import { EVENT_TYPES } from "#lib/platform/event-catalogue";
import { listSourceNames } from "#lib/sources/source-store";
import { readEventFields } from "./payload-fields.ts";

/** Terms that are looked up; a search has more only by intent. */
const MAX_TERMS = 5;

/** `searched`: the whole index was, and no event matches. */
type Asked = { searched: boolean; now: Date };

/** Finds what a filter asks for that no event has, with the nearest that some have. Pure lists are always compared, payloads only then. */
export async function findUnknown(workspaceId: WorkspaceId, filter: EventFilter, { searched, now }: Asked): Promise<UnknownInFilter[]> {
  const terms = namedTermsOf(filter.q ?? "");
  const nothing = seeksNothing(filter) ? [soughtNothing(filter.q ?? "")] : [];
  const [types, sources, fields] = await Promise.all([
    unknownTypes(workspaceId, filter, terms),
    unknownSources(workspaceId, filter, terms),
    searched ? unknownFields(workspaceId, terms.filter((term) => term.filter === null).slice(0, MAX_TERMS), now) : [],
  ]);
  return [...nothing, ...types, ...sources, ...fields];
}

type NamedFilter = { source?: string | undefined; type?: string[] | undefined; cursor?: string | undefined };

/** Adds to a list's first page what its filter asks for that there is not. */
export async function withUnknown<P extends Page<unknown>>(
  workspaceId: WorkspaceId,
  { source, type, cursor }: NamedFilter,
  page: Promise<P>,
): Promise<P & { unknown?: UnknownInFilter[] }> {
  const asked = cursor === undefined ? { source, type } : {};
  const [found, ...unknown] = await Promise.all([page, unknownTypes(workspaceId, asked, []), unknownSources(workspaceId, asked, [])]);
  return unknown.flat().length === 0 ? found : { ...found, unknown: unknown.flat() };
}

/** Says that there is none, and what was probably meant: a text in which `named` stands for the wrong name. */
function unknown(filter: UnknownInFilter["filter"], message: string, said: string, nearest: string | null): UnknownInFilter {
  return { filter, said, nearest, message: nearest === null ? `${message}.` : `${message}. Did you mean \`${nearest}\`?` };
}

const soughtNothing = (q: string) => unknown("q", `\`${shownName(q.trim())}\` ${SEEKS_NOTHING}`, q, null);

type Named = { filter: "q" | "type" | "source"; said: string; value: string };

const namedBy = (name: "type" | "source", filter: EventFilter, terms: NamedTerm[]): Named[] => [
  ...[filter[name] ?? []].flat().map((value) => ({ filter: name, said: value, value })),
  ...terms.filter((term) => term.filter?.[name] !== undefined).map(({ said, value }) => ({ filter: "q" as const, said, value })),
];

/** Writes a value as it stands in this filter: as a term of the search, or alone. */
const written = (name: string, { filter }: Named, value: string): string => (filter === "q" ? termOf(name, value) : value);
const termOf = (name: string, value: string) => `${name}:${/\s/.test(value) ? `"${value}"` : value}`;

async function unknownTypes(workspaceId: WorkspaceId, filter: EventFilter, terms: NamedTerm[]): Promise<UnknownInFilter[]> {
  const asked = namedBy("type", filter, terms).filter(({ value }) => !EVENT_TYPES.some((type) => isOfType(value, type)));
  const held = asked.length === 0 ? null : await listLogTypes(workspaceId);
  if (held === null) return [];
  const known = [...new Set([...held, ...EVENT_TYPES])];
  return asked
    .filter(({ value }) => !known.some((type) => isOfType(value, type)))
    .map((each) => {
      const nearest = nearestOf(
        shownName(each.value),
        isTypePattern(each.value) ? known.flatMap((type) => typePatternOf(type) ?? []) : known,
      );
      return unknown(
        each.filter,
        `No event has the type \`${shownName(each.value)}\``,
        each.said,
        nearest && written("type", each, nearest),
      );
    });
}

async function unknownSources(workspaceId: WorkspaceId, filter: EventFilter, terms: NamedTerm[]): Promise<UnknownInFilter[]> {
  const asked = namedBy("source", filter, terms);
  if (asked.length === 0) return [];
  const known = [...(await listSourceNames(workspaceId)).values()];
  return asked
    .filter(({ value }) => !known.includes(value))
    .map((each) => {
      const nearest = nearestOf(shownName(each.value), known);
      return unknown(
        each.filter,
        `No source is named \`${shownName(each.value)}\``,
        each.said,
        nearest && written("source", each, nearest),
      );
    });
}

const bareName = (path: string) => path.replace(/^data\./, "");

/** The names of terms that are no payload fields. */
const FILTER_TERMS = Object.entries(EVENT_FILTERS).flatMap(([name, { term }]) => (term ? [name] : []));

/** Looks in the search index for each term, and without a match for its field. */
async function unknownFields(workspaceId: WorkspaceId, terms: NamedTerm[], now: Date): Promise<UnknownInFilter[]> {
  if (terms.length === 0) return [];
  const values = terms.map(({ name, value }) => valueAt(name, value));
  const names = terms.map(({ name }) => valueAt(name, "*"));
  const [held, fieldsHeld] = await Promise.all([holdTerms(workspaceId, values), holdTerms(workspaceId, names)]);
  if (held.every(Boolean)) return [];
  const log = { workspaceId, now, fields: await readEventFields(workspaceId, now) };
  const missing = terms.flatMap((term, index) => (held[index] ? [] : [{ term, fieldHeld: fieldsHeld[index] === true }]));
  return Promise.all(missing.map(({ term, fieldHeld }) => unknownTerm(term, fieldHeld, log)));
}

type Log = { workspaceId: WorkspaceId; now: Date; fields: EventField[] };

async function unknownTerm({ said, name, value }: NamedTerm, fieldHeld: boolean, log: Log): Promise<UnknownInFilter> {
  if (name.toLowerCase() === "state") {
    const nearest = nearestOf(shownName(value), EVENT_STATES);
    return unknown("q", `No state is named \`${shownName(value)}\``, said, nearest && termOf("state", nearest));
  }
  const path = payloadPath(name);
  if (fieldHeld) {
    const nearest = nearestOf(shownName(value), valuesOf(path, log));
    return unknown("q", `No event has \`${shownName(said)}\``, said, nearest && termOf(path, nearest));
  }
  return unknown("q", `No event has \`${shownName(path)}\``, said, await nearestTerm(name, value, log));
}

const valuesOf = (path: string, { fields }: Log): string[] =>
  fields.find((field) => field.path.toLowerCase() === path.toLowerCase())?.values ?? [];

/** Returns a term of the nearest name that some event matches: with the value, else with one like it, else with any. */
async function nearestTerm(name: string, value: string, log: Log): Promise<string | null> {
  const bare = bareName(shownName(name));
  const filter = nearestOf(bare, FILTER_TERMS);
  const filters = filter !== null && (await matchesSome(termOf(filter, value), log)) ? [filter] : [];
  const nearest = nearestOf(bare, [...filters, ...log.fields.map((field) => bareName(field.path))]);
  if (nearest === null || filters.includes(nearest)) return nearest && termOf(nearest, value);
  const path = payloadPath(nearest);
  const [held] = await holdTerms(log.workspaceId, [valueAt(path, value)]);
  return termOf(path, held ? value : (nearestOf(shownName(value), valuesOf(path, log)) ?? "*"));
}

const LIMIT_MS = 250;

/** True if some event matches a term of a filter (`type:document.error`), or it takes too long to tell. */
async function matchesSome(said: string, { workspaceId, now }: Log): Promise<boolean> {
  const filter = namedTermsOf(said)[0]?.filter;
  if (!filter) return false;
  try {
    return (await listEvents(workspaceId, filter, { limit: 1, now, timeLimitMs: LIMIT_MS })).data.length > 0;
  } catch (error) {
    if (isAppError(error) && error.code === "search_too_slow") return true;
    throw error;
  }
}
