import { readFilterValue } from "#lib/contracts/api/filter-value";
import { EVENT_FILTER_NAMES, EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import type { EventFilter } from "#lib/contracts/events/events";
import { foldText, pathTerm, piecesOf } from "./terms.ts";

/** Parsed text of the search box. */
export type SearchQuery = {
  /** Its `type:`, `state:`, `source:` and `resource:` terms: further filters. */
  filters: EventFilter[];
  /** The rest as a tsquery; null when nothing is left. */
  tsquery: string | null;
  /** The rest when it is one word: it may be an id, to be looked up to the letter. */
  word: string | null;
};

/** A filter whose search has been read: once a request, however many statements ask by it. */
export type ParsedFilter = { filter: EventFilter; search: SearchQuery };

export const parseFilter = (filter: EventFilter): ParsedFilter => ({ filter, search: readSearch(filter.q ?? "") });

/** True where the search box asks for the payload's words: then time is short. */
export const searchesText = ({ search }: ParsedFilter): boolean => search.tsquery !== null;

/** An address (`https://…`) is no term. */
const TERM = /^(\p{L}[\p{L}\p{N}_.-]*):(?!\/\/)(.+)$/su;
/** A word of this length or longer also finds what begins with it. */
const PREFIX_FROM = 3;

/**
 * Reads the search box: words and ids (all must occur; three letters or more find what begins with them),
 * `path:value` terms (`data.name:"Acme Ltd"`, `data.name:acme*`), and `type:`, `state:`, `source:`, `resource:`.
 */
export function readSearch(q: string): SearchQuery {
  const filters: EventFilter[] = [];
  const lexemes: string[] = [];
  const rest: string[] = [];
  for (const token of tokensOf(q)) {
    const [, name, value] = TERM.exec(token) ?? [];
    const filter = name === undefined || value === undefined ? null : filterOf(name, unquoted(value));
    if (filter) filters.push(filter);
    else {
      rest.push(token);
      lexemes.push(...(name !== undefined && value !== undefined ? [pathLexeme(name, unquoted(value))] : wordLexemes(token)));
    }
  }
  const [only] = rest;
  return {
    filters,
    tsquery: lexemes.length === 0 ? null : lexemes.join(" & "),
    word: rest.length === 1 && only !== undefined && !/["\s]/.test(only) ? only : null,
  };
}

/** Words, where a quoted part may hold blanks. */
const tokensOf = (q: string) => q.match(/(?:[^\s"]+|"[^"]*"?)+/gu) ?? [];
const unquoted = (text: string) => text.replaceAll('"', "");

/** The filter that a term stands for: a declared one, or a resource by its kind (`document:doc_1`); null for neither. */
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

/** `status_reason:late` means `data.status_reason:late`. */
function pathLexeme(name: string, value: string): string {
  const path = name.startsWith("data.") ? name : `data.${name}`;
  return value.endsWith("*") ? lexeme(pathTerm(path, value.slice(0, -1)), true) : lexeme(pathTerm(path, value), false);
}

const wordLexemes = (token: string) => piecesOf(unquoted(token)).map((piece) => lexeme(foldText(piece), piece.length >= PREFIX_FROM));

/** Quoted for tsquery: `'` and `\` are doubled. */
const lexeme = (text: string, prefix: boolean) => `'${text.replaceAll(/['\\]/g, "$&$&")}'${prefix ? ":*" : ""}`;
