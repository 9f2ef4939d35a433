const place = globalThis as typeof globalThis & { ofThisFile?: Map<string, unknown> };

/**
 * Returns what a test file has one of, created on first use. Modules outlive the file (tests/support/fresh-file.ts): what one of them
 * remembers of a database is kept here.
 */
export function ofThisFile<T>(name: string, create: () => T): T {
  place.ofThisFile ??= new Map();
  if (!place.ofThisFile.has(name)) place.ofThisFile.set(name, create());
  return place.ofThisFile.get(name) as T;
}

/** The next file begins anew. */
export const forgetFile = (): void => place.ofThisFile?.clear();
