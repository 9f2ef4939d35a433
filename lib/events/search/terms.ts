import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pathCode, workspaceCode } from "./term-codes.ts";

/** More than these an event is not found by. */
const MAX_TERMS = 200;
/** More values than these are not looked at: a million equal numbers give one term, and would take seconds. */
const MAX_VALUES = 1000;
const MAX_DEPTH = 8;
const MAX_TEXT = 2000;
const MAX_WORD = 64;
const MAX_VALUE = 100;

/** ASCII that is printed: Unicode changes nothing of it but its case. Then a word that is not to be cut apart. */
const PLAIN = /^[ -~]*$/;
const ONE_WORD = /^[a-z0-9]+$/;
const PLAIN_EDGES = /^[a-z0-9](?:.*[a-z0-9])?$/s;
/** From the first letter or digit to the last. A search for what ends a text (`[^…]+$`) would take the square of its length. */
const WITHIN_EDGES = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su;
const BETWEEN_PIECES = /[\s"'“”„,;<>()[\]{}|]+/;

/** Letters as the search compares them; U+0000, which the database rejects, is no letter. */
export const foldText = (text: string): string =>
  PLAIN.test(text) ? text.toLowerCase() : text.normalize("NFKC").toLowerCase().replaceAll("\u0000", "").toWellFormed();

/** A path of a payload as terms know it: `data.status`. */
export const foldPath = (path: string): string => foldText(path).slice(0, MAX_VALUE);

/** A value as the terms of its path know it. */
export const foldValue = (value: string): string => cutValue(foldText(value));

const cutValue = (folded: string) => folded.trim().slice(0, MAX_VALUE);

/**
 * Returns a term as it is filed: its workspace, then its path if it has one, as letters of fixed length, and the word or the value. So a search
 * of one workspace, also for the beginning of a word, reads nothing of what others have in the index.
 *
 * @param path folded; null for a word wherever it stands
 */
export const filedTerm = (workspaceId: WorkspaceId, path: string | null, folded: string): string =>
  `${workspaceCode(workspaceId)}${path === null ? "" : pathCode(path)}${folded}`;

/** Text as it is cut apart at blanks and quotes, without the punctuation around each piece: `invoice-2024.pdf`. */
export const piecesOf = (text: string): string[] => foldedPieces(foldText(text));

function foldedPieces(folded: string): string[] {
  if (ONE_WORD.test(folded)) return [folded.slice(0, MAX_WORD)];
  return folded
    .split(BETWEEN_PIECES)
    .map((piece) => withoutEdges(piece).slice(0, MAX_WORD))
    .filter((piece) => piece !== "");
}

const withoutEdges = (piece: string) => (PLAIN_EDGES.test(piece) ? piece : (WITHIN_EDGES.exec(piece)?.[0] ?? ""));

/** The pieces, and the words that a piece is joined from: `invoice-2024.pdf`, `invoice`, `2024`, `pdf`. */
function foldedWords(folded: string): string[] {
  return foldedPieces(folded).flatMap((piece) => {
    if (ONE_WORD.test(piece)) return piece;
    const parts = piece.split(PLAIN.test(piece) ? /[^a-z0-9]+/ : /[^\p{L}\p{N}]+/u).filter((part) => part.length > 1);
    return parts.length > 1 ? [piece, ...parts] : piece;
  });
}

/**
 * Returns what an event is found by: its id, its type, and of its payload every word and every value at its path,
 * at most 200 of them, from its first 1,000 values, as they are filed. Lists are walked without their numbers: `data.items.id`.
 *
 * @param data the envelope's `data`; undefined where the body can't be read
 */
export function termsOf(event: { workspaceId: WorkspaceId; eventId: string; type: string; data: unknown }): string[] {
  const found = new Found(workspaceCode(event.workspaceId));
  found.addWord(foldText(event.eventId).slice(0, MAX_WORD));
  found.addWord(foldText(event.type).slice(0, MAX_WORD));
  collect(event.data, "data", 0, found);
  return [...found.terms].slice(0, MAX_TERMS);
}

/** The terms so far, and how many values were looked at for them. */
class Found {
  readonly terms = new Set<string>();
  values = 0;
  private readonly workspace: string;

  constructor(workspace: string) {
    this.workspace = workspace;
  }

  get isFull(): boolean {
    return this.terms.size >= MAX_TERMS || this.values >= MAX_VALUES;
  }

  addWord(word: string): void {
    if (word !== "") this.terms.add(this.workspace + word);
  }

  addValue(path: string, folded: string): void {
    this.terms.add(this.workspace + pathCode(foldPath(path)) + cutValue(folded));
  }
}

function collect(value: unknown, path: string, depth: number, found: Found): void {
  if (depth > MAX_DEPTH || found.isFull) return;
  found.values += 1;
  if (Array.isArray(value)) {
    for (const each of value) {
      if (found.isFull) return;
      collect(each, path, depth + 1, found);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      if (found.isFull) return;
      collect(each, `${path}.${key}`, depth + 1, found);
    }
  } else if (value !== undefined) {
    const folded = foldText(String(value).slice(0, MAX_TEXT));
    found.addValue(path.slice(0, MAX_VALUE), folded);
    if (typeof value !== "boolean" && value !== null) for (const word of foldedWords(folded)) found.addWord(word);
  }
}
