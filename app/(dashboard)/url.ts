export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

export function searchParamsOf(read: Awaited<SearchParams>): URLSearchParams {
  return new URLSearchParams(Object.entries(read).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one])));
}
