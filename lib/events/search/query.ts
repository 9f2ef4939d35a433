import { readFilterValue } from "#lib/contracts/api/filters";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { EVENT_FILTER_NAMES, EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import type { EventFilter } from "#lib/contracts/events/events";
import { filedTerm, foldPath, foldText, foldValue, piecesOf } from "./terms.ts";

/** A word that must occur, or a value at a path, folded; with `prefix` anything that begins with it matches too. */
export type SoughtTerm = { path: string | null; text: string; prefix: boolean };

export type SearchQuery = {
  /** Its `type:`, `state:`, `source:` and `resource:` terms: further filters. */
  filters: EventFilter[];
  terms: SoughtTerm[];
  /** The rest when it is one word: it may be an ID, to be looked up literally. */
  word: string | null;
};

export type ParsedFilter = { filter: EventFilter; search: SearchQuery };

export const parseFilter = (filter: EventFilter): ParsedFilter => ({ filter, search: readSearch(filter.q ?? "") });

/** True where words of the payload are searched: then time is short. */
export const searchesText = ({ search }: ParsedFilter): boolean => search.terms.length > 0;

/** No event is of none of these types. */
const NO_EVENT: EventFilter = { type: [] };

/** A URL (`https://…`) is no term. */
const TERM = /^(\p{L}[\p{L}\p{N}_.-]*):(?!\/\/)(.+)$/su;
const PREFIX_FROM = 3;

/** Parses words and IDs (three letters or more find prefixes), `path:value` terms (`data.name:"Acme Ltd"`, `acme*`) and filters. */
export function readSearch(q: string): SearchQuery {
  const filters: EventFilter[] = [];
  const terms: SoughtTerm[] = [];
  const rest: string[] = [];
  for (const token of tokensOf(q)) {
    const [, name, value] = TERM.exec(token) ?? [];
    const filter = name === undefined || value === undefined ? null : filterOf(name, unquoted(value));
    if (filter) filters.push(filter);
    else {
      rest.push(token);
      terms.push(...(name !== undefined && value !== undefined ? [valueAt(name, unquoted(value))] : wordsOf(token)));
    }
  }
  const [only] = rest;
  // Text in which there is nothing to look for (`***`) would else be no filter, and a re-delivery of what it finds one of the whole log.
  if (q.trim() !== "" && terms.length === 0 && filters.length === 0) filters.push(NO_EVENT);
  return {
    filters,
    terms,
    word: rest.length === 1 && only !== undefined && !/["\s]/.test(only) ? only : null,
  };
}

export type NamedTerm = { said: string; name: string; value: string; filter: EventFilter | null };

/** Returns the terms with a name (`state:failed`, `data.status:failed`), as they were said and as a filter; null for a payload field. */
export const namedTermsOf = (q: string): NamedTerm[] =>
  tokensOf(q).flatMap((said) => {
    const [, name, value] = TERM.exec(said) ?? [];
    return name === undefined || value === undefined
      ? []
      : [{ said, name, value: unquoted(value), filter: filterOf(name, unquoted(value)) }];
  });

const tokensOf = (q: string) => q.match(/(?:[^\s"]+|"[^"]*"?)+/gu) ?? [];
const unquoted = (text: string) => text.replaceAll('"', "");

/** Returns a declared filter, or a resource by its kind (`document:doc_1`); null for neither. */
function filterOf(name: string, value: string): EventFilter | null {
  const key = name.toLowerCase();
  if (KINDS.has(key)) return { resource: `${key}:${value}` };
  const filter = EVENT_FILTER_NAMES.find((each) => each === key && EVENT_FILTERS[each].term === true);
  if (filter === undefined) return null;
  const declared = EVENT_FILTERS[filter].value;
  const read = readFilterValue(declared, [declared.kind === "choice" || declared.kind === "choices" ? value.toLowerCase() : value]);
  return read === undefined ? null : { [filter]: read };
}

const KINDS = new Set(["document", "task", "pipeline", "automation", "run", "integration", "record"]);

export const payloadPath = (name: string): string => (name.startsWith("data.") ? name : `data.${name}`);

/** Reads `status_reason:late` as `data.status_reason:late`. */
export function valueAt(name: string, value: string): SoughtTerm {
  const path = foldPath(payloadPath(name));
  const prefix = value.endsWith("*");
  return { path, text: foldValue(prefix ? value.slice(0, -1) : value), prefix };
}

const wordsOf = (token: string): SoughtTerm[] =>
  piecesOf(unquoted(token)).map((piece) => ({ path: null, text: foldText(piece), prefix: piece.length >= PREFIX_FROM }));

/** Returns the terms as a tsquery, also in the form without a workspace, which is in the log for 121 days (docs/decisions/0013). */
export function tsqueryOf(workspaceId: WorkspaceId, terms: SoughtTerm[]): string {
  const all = (filed: (term: SoughtTerm) => string) => terms.map((term) => lexeme(filed(term), term.prefix)).join(" & ");
  const now = all(({ path, text }) => filedTerm(workspaceId, path, text));
  const earlier = all(({ path, text }) => (path === null ? text : `${path}:${text}`));
  return `(${now}) | (${earlier})`;
}

/** Quotes for tsquery: `'` and `\` are doubled. */
const lexeme = (text: string, prefix: boolean) => `'${text.replaceAll(/['\\]/g, "$&$&")}'${prefix ? ":*" : ""}`;
