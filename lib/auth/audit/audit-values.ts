import { isDeepStrictEqual } from "node:util";
import { parseExact } from "#lib/contracts/json/exact-json";

export type AuditValues = Record<string, unknown>;

/**
 * Returns what changed: a value that stands alike on both sides is left out. Where there is one side only (a thing was made,
 * or removed) all of it is kept.
 */
export function changedValues(
  before: AuditValues | undefined,
  after: AuditValues | undefined,
): { before: AuditValues | null; after: AuditValues | null } {
  if (!before || !after) return { before: before ?? null, after: after ?? null };
  const changed = (one: AuditValues, other: AuditValues) =>
    Object.fromEntries(Object.entries(one).filter(([name, value]) => !isDeepStrictEqual(plain(value), plain(other[name]))));
  return { before: changed(before, after), after: changed(after, before) };
}

/** As it is stored: a Date and its text are the same. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : parseExact(JSON.stringify(value)));

const SECRET_NAME = /secret|password|token|sealed|hash|authorization|cookie|^key$|api_?key$/i;

/** The JSON text that is stored, with whatever stands under the name of a secret hidden, however deep; numbers and truth values tell none. */
export const withoutSecrets = (values: AuditValues): string =>
  JSON.stringify(values, (name: string, value: unknown) =>
    SECRET_NAME.test(name) && value !== null && (typeof value === "string" || typeof value === "object") ? "(hidden)" : value,
  );
