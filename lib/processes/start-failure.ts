import { saysDiskFull } from "#lib/installation/embedded/disk-full";
import { dataDir } from "#lib/installation/process-environment";
import { codeOf } from "#lib/observability/error-code";

/** By the system's code for a refused write (errno(3)). */
const REFUSED: Record<string, string> = {
  EROFS: "its file system is read-only",
  EACCES: "this account has no permission",
  EPERM: "this account has no permission",
  ENOTDIR: "a part of its path is a file",
};
const FULL = ["ENOSPC", "EDQUOT"];

/** Returns why a start failed. Faults of DATA_DIR's disk come with what to do. */
export function startFailureWords(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  if (FULL.includes(code) || saysDiskFull(words))
    return `The disk of DATA_DIR (${dataDir()}) is full. Nothing is lost: free some space and start again. A new database takes 60 MB.\n\n${words}`;
  const refused = REFUSED[code];
  if (refused === undefined) return words;
  return `DATA_DIR (${dataDir()}) can't be written: ${refused}. Make it writable for this account, or set DATA_DIR to another folder.\n\n${words}`;
}
