import { maskedUrl } from "#lib/contracts/safe-urls";
import { isVaultError, open, type SealContext, seal, VaultError } from "./vault.ts";

type Headers = Record<string, string>;
type Kept = { workspaceId: string; sourceId: string };

/** Holds a request's sealed headers, next to the others; no header can have this name. */
const SEALED_HEADER = ":sealed";

const placeOf = ({ workspaceId, sourceId }: Kept): SealContext => ({ workspaceId, table: "kept_headers", row: sourceId, field: "proof" });

/** Returns the headers with the secret ones sealed; those are masked in clear. */
export async function withSealed(headers: Headers, secret: Headers, kept: Kept): Promise<Headers> {
  const { sealed } = await seal(JSON.stringify(secret), placeOf(kept));
  return { ...headers, [SEALED_HEADER]: sealed };
}

/** Opens sealed headers; those whose key was discarded stay masked. */
export async function openHeaders(headers: Headers, kept: Kept): Promise<Headers> {
  const { [SEALED_HEADER]: sealed, ...clear } = headers;
  if (sealed === undefined) return headers;
  try {
    return { ...clear, ...(JSON.parse(await open(sealed, placeOf(kept))) as Headers) };
  } catch (error) {
    if (isVaultError(error)) return clear;
    throw error;
  }
}

/** Returns values of opened headers that no log may show. */
export const sealedValues = (opened: Headers, kept: Headers): string[] =>
  Object.entries(opened).flatMap(([name, value]) => (kept[name] === value ? [] : [value]));

export function shownHeaders(headers: Headers): Headers {
  const { [SEALED_HEADER]: _, ...shown } = headers;
  return shown;
}

/** Ends the clear part of a sealed URL. Earlier versions send nothing there: a target has no fragment. */
const SEALED = "/#sealed";

export type StoredUrl = { url: string; urlSealed: string | null };

/** Returns the clear part of a URL. Its path and query hold tokens; without them nothing is secret. */
export function clearPart(text: string): { url: string; hides: boolean } {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || (url.pathname === "/" && url.search === "")) return { url: text, hides: false };
  return { url: `${url.origin}${SEALED}`, hides: true };
}

export async function sealUrl(text: string, place: SealContext): Promise<[url: string, sealed: string | null, keyId: string | null]> {
  const { url, hides } = clearPart(text);
  if (!hides) return [url, null, null];
  const { sealed, keyId } = await seal(text, place);
  return [url, sealed, keyId];
}

/** Returns the whole URL. The clear column is used if it has a path, as earlier versions write it. Throws VaultError. */
export async function openUrl({ url, urlSealed }: StoredUrl, place: SealContext): Promise<string> {
  if (!url.endsWith(SEALED)) return url;
  if (urlSealed === null) throw new VaultError("key_unknown", "The URL was encrypted with a key that was discarded. Enter it again.");
  return open(urlSealed, place);
}

/** Returns a URL for people: masked if it can't be opened, so that it can be read and replaced while a key is missing. */
export async function readUrl(stored: StoredUrl, place: SealContext): Promise<string> {
  const shown = stored.url.endsWith(SEALED) ? maskedUrl(stored.url) : stored.url;
  return openUrl(stored, place).then(
    (url) => (url === stored.url ? shown : url),
    (error: unknown) => {
      if (isVaultError(error)) return shown;
      throw error;
    },
  );
}
