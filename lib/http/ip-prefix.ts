import { networkOf } from "./ip-address.ts";

/** Counters for all IP addresses: a flood from ever new ones needs no more memory than this. */
export const BUCKETS = 4096;

/** Returns the counter that an IP address shares with few others; null: the address is unknown. */
export function ipBucket(address: string | null): string {
  if (address === null) return "unknown";
  return String(hash(networkOf(address)) % BUCKETS);
}

/** Hashes by FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
