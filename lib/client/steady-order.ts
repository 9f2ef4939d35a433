/**
 * Rows in the order in which they were first seen: those of `ids` first, as they stand there, then those that came
 * since. What has gone leaves no gap.
 */
export function inSteadyOrder<Row>(rows: readonly Row[], ids: readonly string[], idOf: (row: Row) => string): Row[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = (row: Row) => places.get(idOf(row)) ?? ids.length;
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}
