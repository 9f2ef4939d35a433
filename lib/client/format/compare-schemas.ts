import { documentedWords } from "#lib/contracts/schemas/differences";
import type { FieldSchema } from "#lib/contracts/schemas/field-schema";
import { keyPath } from "#lib/contracts/schemas/learnt-fields";

/** What two schemas say of a field, in words; null where one does not have it. */
export type SchemaDifferenceRow = { path: string; before: string | null; after: string | null };

/** Returns the fields that two schemas say different things of, in the order of the tree. */
export function compareSchemas(before: FieldSchema, after: FieldSchema): SchemaDifferenceRow[] {
  const [was, is] = [new Map(fieldsOf(before)), new Map(fieldsOf(after))];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((path) => ({ path, before: was.get(path) ?? null, after: is.get(path) ?? null }))
    .filter((row) => row.before !== row.after)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function* fieldsOf(schema: FieldSchema, path = "data"): Generator<[path: string, words: string]> {
  for (const [key, part] of Object.entries(schema.properties ?? {})) {
    const here = keyPath(path, key);
    yield [here, wordsOf(part, schema.required?.includes(key) ?? false)];
    yield* fieldsOf(part, here);
  }
  for (const [part, here] of [
    [schema.items, `${path}[]`],
    [schema.additionalProperties, `${path}.*`],
  ] as const) {
    if (!part) continue;
    yield [here, wordsOf(part, false)];
    yield* fieldsOf(part, here);
  }
}

const wordsOf = (schema: FieldSchema, required: boolean): string =>
  [documentedWords({ schema, required }), ...(schema.format === undefined ? [] : [schema.format])].join(", ");
