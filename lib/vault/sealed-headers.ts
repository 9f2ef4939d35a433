import { isVaultError, open, type SealContext, seal } from "./vault.ts";

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
