import { isDeepStrictEqual } from "node:util";
import { parseExact } from "#lib/contracts/json/exact-json";

export type AuditValues = Record<string, unknown>;

/** Keeps the values that differ; where there is one side only (created, removed), all of it. */
export function changedValues(
  before: AuditValues | undefined,
  after: AuditValues | undefined,
): { before: AuditValues | null; after: AuditValues | null } {
  if (!before || !after) return { before: before ?? null, after: after ?? null };
  const changed = (one: AuditValues, other: AuditValues) =>
    Object.fromEntries(Object.entries(one).filter(([name, value]) => !isDeepStrictEqual(plain(value), plain(other[name]))));
  return { before: changed(before, after), after: changed(after, before) };
}

/** Normalizes to the stored form: a Date equals its text. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : parseExact(JSON.stringify(value)));

const SECRET_NAME = /secret|password|token|sealed|hash|authorization|cookie|^key$|api_?key$/i;

/** Returns the JSON to store, with strings and objects under the name of a secret hidden at any depth. */
export const withoutSecrets = (values: AuditValues): string =>
  JSON.stringify(values, (name: string, value: unknown) =>
    SECRET_NAME.test(name) && value !== null && (typeof value === "string" || typeof value === "object") ? "(hidden)" : value,
  );
