/**
 * True if a program's output says that its disk, or the account's share of it, is full (errno(3): ENOSPC, EDQUOT).
 * PostgreSQL says it in other words when a part of a block still fitted.
 */
export const saysDiskFull = (output: string): boolean =>
  /No space left on device|Disk quota exceeded|wrote only \d+ of \d+ bytes/.test(output);
