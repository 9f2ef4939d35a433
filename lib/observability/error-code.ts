type Coded = { code?: unknown; meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } } | null | undefined;

/** Returns an SQLSTATE, thrown by the driver or by Prisma, or a system call's code (`ENOENT`); empty if there is none. */
export function codeOf(error: unknown): string {
  const coded = error as Coded;
  return String(coded?.meta?.driverAdapterError?.cause?.originalCode ?? coded?.code ?? "");
}
