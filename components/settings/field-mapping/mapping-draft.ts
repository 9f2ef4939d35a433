import type { FieldMapping, FieldMappingSuggestions, MappableField } from "#lib/contracts/sources/field-mapping";

/** A field and one of its paths, as they are edited. */
export type MappingRow = { key: number; field: MappableField; path: string };

/** A mapping as rows, one a path. */
const rowsOf = (mapping: FieldMapping): MappingRow[] =>
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

/** Returns what the form opens with: the saved paths, the suggested ones in front of them, and an empty row for a field without one. */
export function firstRows(saved: FieldMapping, suggestions: FieldMappingSuggestions | null): MappingRow[] {
  const rows = rowsOf(suggestions?.mapping ?? saved);
  for (const { field } of suggestions?.fields ?? [])
    if (!rows.some((row) => row.field === field)) rows.push({ key: nextKey(rows), field, path: "" });
  return rows.length > 0 ? rows : [{ key: 0, field: "documentId", path: "" }];
}

/** The rows with a path of a field: in its empty row, or in front of its others. */
export function withPath(rows: MappingRow[], field: MappableField, path: string): MappingRow[] {
  const empty = rows.find((row) => row.field === field && row.path.trim() === "");
  if (empty) return rows.map((row) => (row === empty ? { ...row, path } : row));
  const at = rows.findIndex((row) => row.field === field);
  return rows.toSpliced(at < 0 ? rows.length : at, 0, { key: nextKey(rows), field, path });
}

/** A key that no row has. */
export const nextKey = (rows: MappingRow[]): number => Math.max(-1, ...rows.map(({ key }) => key)) + 1;
