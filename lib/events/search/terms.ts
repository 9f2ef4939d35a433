import { crc32 } from "node:zlib";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { isNumber, isObject } from "#lib/contracts/exact-json";

/** Most terms that earlier releases filed of an event, IN_PART included. */
export const CUT_AT = 200;
/** Filed with an event of whose payload something is left out. Neither a word nor a path's code, it is in no search. */
export const IN_PART = "IN_PART";
/** Filed with an event that has as many terms as a cut one had, and is whole. */
const WHOLE = "WHOLE";
/** Characters of values that are read of a payload: all that 64 KiB of JSON can hold. */
const MAX_TEXT = 65_536;
/** Values that are looked at, objects and lists among them: each takes two characters of JSON at least. */
const MAX_VALUES = MAX_TEXT / 2;
const MAX_DEPTH = 64;
/** Characters of an event's terms together: at three bytes each they stay below the megabyte that a tsvector may take. */
const MAX_TERM_TEXT = 300_000;
const MAX_WORD = 64;
const MAX_VALUE = 100;
/** Text up to this length is short; a SHA-256 is. */
const MAX_SHORT = 64;

/** Printable ASCII: Unicode changes nothing of it but its case. */
const PLAIN = /^[ -~]*$/;
const ONE_WORD = /^[a-z0-9]+$/;
const PLAIN_EDGES = /^[a-z0-9](?:.*[a-z0-9])?$/s;
/** From the first letter or digit to the last. Matching the end (`[^…]+$`) would take quadratic time. */
const WITHIN_EDGES = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su;
const BETWEEN_PIECES = /[\s"'“”„,;<>()[\]{}|]+/;

/** Letters as the search compares them; U+0000, which the database rejects, is no letter. */
export const foldText = (text: string): string =>
  PLAIN.test(text) ? text.toLowerCase() : text.normalize("NFKC").toLowerCase().replaceAll("\u0000", "").toWellFormed();

export const foldPath = (path: string): string => foldText(path).slice(0, MAX_VALUE);

export const foldValue = (value: string): string => cutValue(foldText(value));

const cutValue = (folded: string) => folded.trim().slice(0, MAX_VALUE);

/** Puts codes of fixed length before a word or (with a folded path) a value: a search reads nothing of other workspaces in the index. */
export const filedTerm = (workspaceId: WorkspaceId, path: string | null, folded: string): string =>
  `${workspaceCode(workspaceId)}${path === null ? "" : pathCode(path)}${folded}`;

/** Cuts text at blanks and quotes, without the punctuation around each piece: `invoice-2024.pdf`. */
export const piecesOf = (text: string): string[] => foldedPieces(foldText(text));

function foldedPieces(folded: string): string[] {
  if (ONE_WORD.test(folded)) return [folded.slice(0, MAX_WORD)];
  return folded
    .split(BETWEEN_PIECES)
    .map((piece) => withoutEdges(piece).slice(0, MAX_WORD))
    .filter((piece) => piece !== "");
}

const withoutEdges = (piece: string) => (PLAIN_EDGES.test(piece) ? piece : (WITHIN_EDGES.exec(piece)?.[0] ?? ""));

/** Returns pieces and the words they are joined from: `invoice-2024.pdf`, `invoice`, `2024`, `pdf`. */
function foldedWords(folded: string): string[] {
  return foldedPieces(folded).flatMap((piece) => {
    if (ONE_WORD.test(piece)) return piece;
    const parts = piece.split(PLAIN.test(piece) ? /[^a-z0-9]+/ : /[^\p{L}\p{N}]+/u).filter((part) => part.length > 1);
    return parts.length > 1 ? [piece, ...parts] : piece;
  });
}

/** Returns an event's ID, type, and the words and values of 64 KiB of payload; of a larger one short values first, and IN_PART. */
export function termsOf(event: { workspaceId: WorkspaceId; eventId: string; type: string; data: unknown }): string[] {
  const found = new Found(workspaceCode(event.workspaceId));
  found.addWord(foldText(event.eventId).slice(0, MAX_WORD));
  found.addWord(foldText(event.type).slice(0, MAX_WORD));
  const { leaves, text, isCut } = event.data === undefined ? { leaves: [], text: 0, isCut: true } : leavesOf(event.data);
  const isWhole = !isCut && text <= MAX_TEXT;
  let left = MAX_TEXT;
  for (const leaf of isWhole ? leaves : inOrder(leaves)) {
    if (left <= 0 || found.isOver) break;
    addLeaf({ ...leaf, text: leaf.text.slice(0, left) }, found);
    left -= leaf.text.length;
  }
  if (!isWhole || found.isOver) return [...found.terms, IN_PART];
  return found.terms.size === CUT_AT ? [...found.terms, WHOLE] : [...found.terms];
}

class Found {
  readonly terms = new Set<string>();
  isOver = false;
  private readonly workspace: string;
  private left = MAX_TERM_TEXT;

  constructor(workspace: string) {
    this.workspace = workspace;
  }

  addWord(word: string): void {
    if (word !== "") this.add(this.workspace + word);
  }

  addValue(path: string, folded: string): void {
    this.add(this.workspace + pathCode(foldPath(path)) + cutValue(folded));
  }

  private add(term: string): void {
    if (this.terms.has(term)) return;
    this.isOver ||= term.length > this.left;
    if (this.isOver) return;
    this.terms.add(term);
    this.left -= term.length;
  }
}

type Leaf = { value: unknown; text: string; path: string; depth: number };
type Node = Omit<Leaf, "text">;

/** Returns the values of a payload, those in lists last, and their characters; `isCut`: there are more or deeper ones than are read. */
function leavesOf(data: unknown): { leaves: Leaf[]; text: number; isCut: boolean } {
  const leaves: Leaf[] = [];
  let [left, isCut, characters] = [MAX_VALUES, false, 0];
  const add = (queue: Node[], value: unknown, path: string, depth: number): boolean => {
    if (depth <= MAX_DEPTH && left > 0) queue.push({ value, path, depth });
    else isCut = true;
    left -= 1;
    return left >= 0;
  };
  // A queue grows while it is walked.
  const walk = (queue: Node[], lists: Node[] | null) => {
    for (const each of queue) {
      const { value, path, depth } = each;
      if (Array.isArray(value) && lists !== null) lists.push(each);
      else if (Array.isArray(value)) value.every((entry) => add(queue, entry, path, depth + 1));
      else if (isObject(value)) Object.entries(value).every(([key, entry]) => add(queue, entry, `${path}.${key}`, depth + 1));
      else if (value !== undefined) {
        const text = String(value);
        characters += text.length;
        leaves.push({ ...each, text });
      }
    }
  };
  const lists: Node[] = [];
  walk([{ value: data, path: "data", depth: 0 }], lists);
  walk(lists, null);
  return { leaves, text: characters, isCut };
}

const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]/;
const LAST = (MAX_DEPTH + 1) * 2;

function inOrder(leaves: Leaf[]): Leaf[] {
  const order: Leaf[][] = Array.from({ length: LAST + 1 }, () => []);
  for (const leaf of leaves) order[orderOf(leaf)]?.push(leaf);
  return order.flat();
}

/** Orders by depth, identifiers (no blank in them) and numbers before short text; what takes many terms last. */
function orderOf({ value, depth }: Leaf): number {
  if (isNumber(value)) return depth * 2;
  if (typeof value !== "string") return depth * 2 + 1;
  if (value.length > MAX_SHORT || value.includes("://") || TIMESTAMP.test(value)) return LAST;
  return /\s/.test(value) ? depth * 2 + 1 : depth * 2;
}

function addLeaf({ path, value, text }: Leaf, found: Found): void {
  const folded = foldText(text);
  found.addValue(path.slice(0, MAX_VALUE), folded);
  if (typeof value !== "boolean" && value !== null) for (const word of foldedWords(folded)) found.addWord(word);
}

/** Capital letters that terms begin with. Words and values are folded to small letters, so no beginning of one looks like a code. */
const WORKSPACE_LETTERS = 4;
/** 309 million codes: two of a workspace's paths with one code would find each other's equal values. */
const PATH_LETTERS = 6;
const FIRST_LETTER = 65;
const LETTERS = 26;
/** A sender of ever new paths makes the codes be computed again, and takes no more memory. */
const MAX_KEPT = 10_000;

const pathCodes = new Map<string, string>();
const workspaceCodes = new Map<string, string>();

/** Returns the beginning of all terms of a workspace. Two workspaces may share it: a search also compares the workspace. */
const workspaceCode = (workspaceId: WorkspaceId): string => kept(workspaceCodes, workspaceId, WORKSPACE_LETTERS);

const pathCode = (path: string): string => kept(pathCodes, path, PATH_LETTERS);

function kept(codes: Map<string, string>, text: string, length: number): string {
  const known = codes.get(text);
  if (known !== undefined) return known;
  if (codes.size >= MAX_KEPT) codes.clear();
  const code = lettersOf(crc32(text), length);
  codes.set(text, code);
  return code;
}

function lettersOf(checksum: number, length: number): string {
  let [letters, rest] = ["", checksum];
  for (; letters.length < length; rest = Math.floor(rest / LETTERS)) letters += String.fromCharCode(FIRST_LETTER + (rest % LETTERS));
  return letters;
}
