import type { FieldMapping, FieldMappingSuggestions, MappableField } from "#lib/contracts/sources/field-mapping";

export type MappingRow = { key: number; field: MappableField; path: string };

/** Returns one row for each path. */
const rowsOf = (mapping: FieldMapping): MappingRow[] =>
  (Object.entries(mapping) as [MappableField, string[]][])
    .flatMap(([field, paths]) => paths.map((path) => ({ field, path })))
    .map((row, key) => ({ key, ...row }));

export function mappingOf(rows: MappingRow[]): FieldMapping {
  const mapping: FieldMapping = {};
  for (const { field, path } of rows) {
    const trimmed = path.trim();
    if (trimmed === "" || mapping[field]?.includes(trimmed)) continue;
    mapping[field] = [...(mapping[field] ?? []), trimmed];
  }
  return mapping;
}

/** Returns the saved paths, with suggested ones before them, and an empty row for a field without a path. */
export function firstRows(saved: FieldMapping, suggestions: FieldMappingSuggestions | null): MappingRow[] {
  const rows = rowsOf(suggestions?.mapping ?? saved);
  for (const { field } of suggestions?.fields ?? [])
    if (!rows.some((row) => row.field === field)) rows.push({ key: nextKey(rows), field, path: "" });
  return rows.length > 0 ? rows : [{ key: 0, field: "documentId", path: "" }];
}

/** Puts the path into the field's empty row, or before its other paths. */
export function withPath(rows: MappingRow[], field: MappableField, path: string): MappingRow[] {
  const empty = rows.find((row) => row.field === field && row.path.trim() === "");
  if (empty) return rows.map((row) => (row === empty ? { ...row, path } : row));
  const at = rows.findIndex((row) => row.field === field);
  return rows.toSpliced(at < 0 ? rows.length : at, 0, { key: nextKey(rows), field, path });
}

export const nextKey = (rows: MappingRow[]): number => Math.max(-1, ...rows.map(({ key }) => key)) + 1;
