/** What Next hands a page of its address's query. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** Next's reading of the query, as the browser's own. */
export function addressOf(read: Awaited<SearchParams>): URLSearchParams {
  return new URLSearchParams(Object.entries(read).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one])));
}
