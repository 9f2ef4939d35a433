/** The code of an error: an SQLSTATE of the database, or what a system call says (`ENOENT`); empty when it has none. */
export const codeOf = (error: unknown): string => String((error as { code?: unknown } | null | undefined)?.code ?? "");
