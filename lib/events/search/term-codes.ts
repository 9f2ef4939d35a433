import { crc32 } from "node:zlib";
import type { WorkspaceId } from "#lib/contracts/api/ids";

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
export const workspaceCode = (workspaceId: WorkspaceId): string => kept(workspaceCodes, workspaceId, WORKSPACE_LETTERS);

export const pathCode = (path: string): string => kept(pathCodes, path, PATH_LETTERS);

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
