/** The kept request's query, stored with its headers; no header can have this name. */
export const QUERY_HEADER = ":query";

export const keptQuery = (headers: Record<string, string>): string => headers[QUERY_HEADER] ?? "";

/** Replaces a header's value that holds a secret. */
export const MASKED = "[masked]";

/** Returns the URL as the sender signs it. `base`: the receiver's public URL before /webhooks/<source>. */
export const requestUrl = (base: string, source: string, query: string): string => {
  const url = `${base}/webhooks/${encodeURIComponent(source)}`;
  return query === "" ? url : `${url}?${query}`;
};

/** Returns the header of the proof that was masked and is sealed nowhere; null if the proof is complete. */
export const maskedProof = (
  { headers }: { headers: readonly string[] },
  kept: Record<string, string | string[] | undefined>,
): string | null => headers.find((name) => kept[name] === MASKED) ?? null;
