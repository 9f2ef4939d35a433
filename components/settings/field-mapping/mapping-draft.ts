import type { FieldMapping, MappableField } from "#lib/contracts/sources/field-mapping";

/** A field and one of its paths, as they are edited. */
export type MappingRow = { key: number; field: MappableField; path: string };

/** A mapping as rows, one a path. */
export const rowsOf = (mapping: FieldMapping): MappingRow[] =>
  (Object.entries(mapping) as [MappableField, string[]][])
    .flatMap(([field, paths]) => paths.map((path) => ({ field, path })))
    .map((row, key) => ({ key, ...row }));

/** The mapping that rows make; those without a path are left out. */
export function mappingOf(rows: MappingRow[]): FieldMapping {
  const mapping: FieldMapping = {};
  for (const { field, path } of rows) {
    const trimmed = path.trim();
    if (trimmed === "" || mapping[field]?.includes(trimmed)) continue;
    mapping[field] = [...(mapping[field] ?? []), trimmed];
  }
  return mapping;
}
