export type CappedBody = Uint8Array | "too_large" | "overloaded" | "aborted";

type ReadOptions = {
  /** The cap, inclusive. */
  maxBytes: number;
  /** The announced length in bytes, if any: above the cap nothing is read at all. */
  contentLength: number | null;
  /** Asks for space for so many more bytes; false when there is none. */
  claim: (bytes: number) => boolean;
};

/**
 * Reads a body to the end, or to the cap: what lies beyond is not read.
 *
 * @param stream the body's chunks; null or undefined for an empty body
 * @returns "aborted" when the sender went away
 */
export async function readCapped(
  stream: AsyncIterable<Uint8Array> | null | undefined,
  { maxBytes, contentLength, claim }: ReadOptions,
): Promise<CappedBody> {
  if (contentLength !== null && contentLength > maxBytes) return "too_large";
  if (!stream) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      length += chunk.length;
      if (length > maxBytes) return "too_large";
      if (!claim(chunk.length)) return "overloaded";
      chunks.push(chunk);
    }
  } catch {
    return "aborted";
  }
  const [first] = chunks;
  return chunks.length === 1 && first ? first : Buffer.concat(chunks, length);
}

/** The announced length in bytes; null when there is none that can be understood. */
export function announcedLength(header: string | null | undefined): number | null {
  return header && /^\d{1,15}$/.test(header) ? Number(header) : null;
}
