/** True for a full disk or quota (errno(3): ENOSPC, EDQUOT). PostgreSQL says it differently if part of a block still fitted. */
export const saysDiskFull = (output: string): boolean =>
  /No space left on device|Disk quota exceeded|wrote only \d+ of \d+ bytes/.test(output);
