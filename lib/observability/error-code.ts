type Coded = { code?: unknown; meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } } | null | undefined;

/**
 * The code of an error: an SQLSTATE of the database, whether the driver or Prisma threw it, or what a system call says (`ENOENT`);
 * empty when it has none.
 */
export function codeOf(error: unknown): string {
  const coded = error as Coded;
  return String(coded?.meta?.driverAdapterError?.cause?.originalCode ?? coded?.code ?? "");
}
