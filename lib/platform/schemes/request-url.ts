/** Where the query of a request is kept, beside its headers; no header can have the name. */
export const QUERY_HEADER = ":query";

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
