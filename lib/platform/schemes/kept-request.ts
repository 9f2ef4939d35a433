/** Name under which the query of a request is kept, beside its headers; no header can have it. */
export const QUERY_HEADER = ":query";

/** The query of a request that was kept; empty without one. */
export const keptQuery = (headers: Record<string, string>): string => headers[QUERY_HEADER] ?? "";

/** Text that replaces a header's value that holds a secret. */
export const MASKED = "[masked]";

/**
 * The URL that a sender posted to, as it signs it.
 *
 * @param base the receiver's public address, before /webhooks/<source>
 * @param query behind the `?`; empty without one
 */
export const requestUrl = (base: string, source: string, query: string): string => {
  const url = `${base}/webhooks/${encodeURIComponent(source)}`;
  return query === "" ? url : `${url}?${query}`;
};

/** The header of a request's proof that was masked when it was kept, and is sealed nowhere; null where all of it is there. */
export const maskedProof = (
  { headers }: { headers: readonly string[] },
  kept: Record<string, string | string[] | undefined>,
): string | null => headers.find((name) => kept[name] === MASKED) ?? null;
