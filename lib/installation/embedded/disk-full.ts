/** Whether a program's output says that its disk, or the account's share of it, is full (errno(3): ENOSPC, EDQUOT). */
export const saysDiskFull = (output: string): boolean => /No space left on device|Disk quota exceeded/.test(output);
