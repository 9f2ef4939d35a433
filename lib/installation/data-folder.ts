import { statSync } from "node:fs";
import { EnvError } from "#lib/config/env";
import { codeOf } from "#lib/observability/logger";
import { dataDir } from "./process-environment.ts";

const REFUSED: Record<string, string> = {
  EROFS: "its file system is read-only",
  EACCES: "this account has no permission",
  EPERM: "this account has no permission",
  ENOTDIR: "a part of its path is a file",
  EEXIST: "it is a file",
};

const TO_DO: Record<string, string> = {
  ENOTDIR: "Move that file away",
  EEXIST: "Move the file away",
};

/** Returns why DATA_DIR can't be written and what to do, by the error of a try; null for an error that says nothing of it. */
export function dataFolderRefusal(error: unknown): string | null {
  const code = codeOf(error);
  const why = REFUSED[code];
  if (why === undefined) return null;
  return `DATA_DIR (${dataDir()}) can't be written: ${why}. ${TO_DO[code] ?? "Make it writable for this account"}, or set DATA_DIR to another folder.`;
}

/** A file in place of the folder looks like an installation that isn't there, to all that only read. @throws EnvError in words */
export function requireDataFolder(): void {
  const code = whatStandsThere();
  const words = code && dataFolderRefusal({ code });
  if (words) throw new EnvError(words);
}

function whatStandsThere(): "EEXIST" | "ENOTDIR" | null {
  try {
    return statSync(dataDir()).isDirectory() ? null : "EEXIST";
  } catch (error) {
    return codeOf(error) === "ENOTDIR" ? "ENOTDIR" : null; // missing, or closed to this account: that shows where it is needed
  }
}
