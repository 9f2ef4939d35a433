/** Returns rows in the order in which they were first seen: those of `ids`, then newer ones. Removed rows leave no gap. */
export function inSteadyOrder<Row>(rows: readonly Row[], ids: readonly string[], idOf: (row: Row) => string): Row[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = (row: Row) => places.get(idOf(row)) ?? ids.length;
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}
