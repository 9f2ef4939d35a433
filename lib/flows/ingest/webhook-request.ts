/** A webhook request as plain data, independent of any framework. Header names are in small letters. */
export type WebhookRequest = {
  source: string;
  /** Behind the `?` of the URL. */
  query?: string;
  method: string;
  headers: Record<string, string | string[] | undefined>;
  /** The raw bytes, or why there are none. */
  body: Uint8Array | "too_large" | "too_slow" | "overloaded";
  remoteAddress: string | null;
};

/** False for a body that is compressed: its signature covers the bytes as they are sent. */
export const isIdentityEncoded = (header: string | string[] | undefined) =>
  header === undefined || header === "" || header.toString().toLowerCase() === "identity";

/** Returns what is behind the `?` of a URL or a request target. */
export function queryOf(url: string): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at + 1);
}
