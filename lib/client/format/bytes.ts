/** `312 B`, `4.1 kB`, `1.0 MB`. */
export function bytesWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function bodyBytes({ raw, rawBase64 }: { raw: string | null; rawBase64: string | null }): Uint8Array<ArrayBuffer> {
  if (raw !== null) return new TextEncoder().encode(raw);
  return Uint8Array.from(atob(rawBase64 ?? ""), (character) => character.charCodeAt(0));
}
