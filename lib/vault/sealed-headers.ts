import { open, type SealContext, seal } from "./vault.ts";
import { isVaultError } from "./vault-error.ts";

type Headers = Record<string, string>;
/** Owner of a request that was kept. */
type Kept = { workspaceId: string; sourceId: string };

/** Name under which the sealed headers of a request stand beside the others; no header can have it. */
const SEALED_HEADER = ":sealed";

const placeOf = ({ workspaceId, sourceId }: Kept): SealContext => ({ workspaceId, table: "kept_headers", row: sourceId, field: "proof" });

/** The headers of a request with some of them sealed beside: those are masked in clear. */
export async function withSealed(headers: Headers, secret: Headers, kept: Kept): Promise<Headers> {
  const { sealed } = await seal(JSON.stringify(secret), placeOf(kept));
  return { ...headers, [SEALED_HEADER]: sealed };
}

/** The headers of a request as they came; those whose key was discarded stay masked. */
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

/** Values of opened headers that no log may show. */
export const sealedValues = (opened: Headers, kept: Headers): string[] =>
  Object.entries(opened).flatMap(([name, value]) => (kept[name] === value ? [] : [value]));

/** The headers of a request for people and programs: without what is sealed. */
export function shownHeaders(headers: Headers): Headers {
  const { [SEALED_HEADER]: _, ...shown } = headers;
  return shown;
}
