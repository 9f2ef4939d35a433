import { type EventFilter, eventStatus } from "#lib/contracts/events";
import { foldText, pathTerm, piecesOf } from "./search-terms.ts";

/** What the search box asks for, taken apart. */
export type SearchQuery = {
  /** Its `type:`, `status:`, `source:` and `resource:` terms: further filters. */
  filters: EventFilter[];
  /** The rest as a tsquery; null when nothing is left. */
  tsquery: string | null;
  /** The rest when it is one word: it may be an id, to be looked up to the letter. */
  word: string | null;
};

/** An address (`https://…`) is no term. */
const TERM = /^(\p{L}[\p{L}\p{N}_.-]*):(?!\/\/)(.+)$/su;
/** A word of this length or longer also finds what begins with it. */
const PREFIX_FROM = 3;

/**
 * Reads the search box: words and ids (all must occur; three letters or more find what begins with them),
 * `path:value` terms (`data.name:"Acme Ltd"`, `data.name:acme*`), and `type:`, `status:`, `source:`, `resource:`.
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

function filterOf(name: string, value: string): EventFilter | null {
  switch (name.toLowerCase()) {
    case "type":
      return { type: [value] };
    case "status": {
      const status = eventStatus.safeParse(value.toLowerCase());
      return status.success ? { status: [status.data] } : null;
    }
    case "source":
      return { source: value };
    case "resource":
    case "document":
    case "task":
    case "pipeline":
    case "automation":
    case "run":
    case "integration":
      return { resource: name.toLowerCase() === "resource" ? value : `${name.toLowerCase()}:${value}` };
    default:
      return null;
  }
}

/** `status_reason:late` means `data.status_reason:late`. */
function pathLexeme(name: string, value: string): string {
  const path = name.startsWith("data.") ? name : `data.${name}`;
  return value.endsWith("*") ? lexeme(pathTerm(path, value.slice(0, -1)), true) : lexeme(pathTerm(path, value), false);
}

const wordLexemes = (token: string) => piecesOf(unquoted(token)).map((piece) => lexeme(foldText(piece), piece.length >= PREFIX_FROM));

/** Quoted for tsquery: `'` and `\` are doubled. */
const lexeme = (text: string, prefix: boolean) => `'${text.replaceAll(/['\\]/g, "$&$&")}'${prefix ? ":*" : ""}`;
