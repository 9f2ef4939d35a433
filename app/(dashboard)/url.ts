/** The query of a page's URL, as Next passes it. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** Next's form of the query as URLSearchParams. */
export function searchParamsOf(read: Awaited<SearchParams>): URLSearchParams {
  return new URLSearchParams(Object.entries(read).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one])));
}
