/** Header names are in lower case. */
export type WebhookRequest = {
  source: string;
  query?: string;
  method: string;
  headers: Record<string, string | string[] | undefined>;
  body: Uint8Array | "too_large" | "too_slow" | "overloaded";
  remoteAddress: string | null;
};

/** False for a compressed body: its signature covers the bytes as they are sent. */
export const isIdentityEncoded = (header: string | string[] | undefined) =>
  header === undefined || header === "" || header.toString().toLowerCase() === "identity";

export function queryOf(url: string): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at + 1);
}
