import { createHash } from "node:crypto";
import type { PinnedField } from "./live-field.ts";
import { tellableValues } from "./live-field.ts";
import { seenOf } from "./merge.ts";
import { ABSENT, bitsOf, formatClass, outcomesIn } from "./outcomes.ts";
import { ANY_KEY, ELEMENT, splitPath } from "./paths.ts";
import type { FieldPath, FieldStats, SchemaTree } from "./schema.ts";

/** A field that was in all of fewer events may be optional. */
export const REQUIRED_AFTER = 300;

export const isRequired = (tree: SchemaTree, path: FieldPath): boolean => {
  const key = splitPath(path)?.key;
  if (key === undefined || key === ELEMENT || key === ANY_KEY) return false;
  const seen = seenOf(tree, path);
  return seen >= REQUIRED_AFTER && tree.fields[path]?.n === seen;
};

/** Returns a hash that changes with the shape, and not with each event: types, formats, what is required, values. */
export function shapeHash(tree: SchemaTree): string {
  const shape = Object.keys(tree.fields)
    .sort()
    .map((path) => shapeOf(tree, path, tree.fields[path] as FieldStats));
  return createHash("sha256").update(JSON.stringify(shape)).digest("hex");
}

const shapeOf = (tree: SchemaTree, path: FieldPath, stats: FieldStats) => [
  path,
  Object.keys(stats.types).sort(),
  [...new Set((Object.keys(stats.formats) as (keyof typeof stats.formats)[]).map(formatClass))].sort(),
  isRequired(tree, path),
  tellableValues(stats)?.map(({ text }) => text) ?? null,
];

/** What a version allows, once a schema is pinned to it: its outcomes, and no absence where it was always there. */
export function pinOf(tree: SchemaTree): Record<FieldPath, PinnedField> {
  return Object.fromEntries(
    Object.entries(tree.fields).map(([path, stats]) => {
      const values = tellableValues(stats)?.map(({ text }) => text);
      const key = splitPath(path)?.key;
      const isKey = key !== undefined && key !== ELEMENT && key !== ANY_KEY;
      const mayLack = !isKey || stats.n < seenOf(tree, path);
      return [path, { usual: bitsOf(stats) | (mayLack ? ABSENT : 0), ...(values && { values }) }];
    }),
  );
}

/** Says what a pin allows: `string or null`, `always there`. */
export const allowedWords = (usual: number): string => {
  const types = outcomesIn(usual).filter((outcome) => ["null", "boolean", "number", "string", "object", "array"].includes(outcome));
  return `${types.join(" or ")}${(usual & ABSENT) === 0 ? ", always there" : ""}`;
};
