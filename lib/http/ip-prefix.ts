import { networkOf } from "./ip-address.ts";

/** Counters for all addresses of the world: a flood from ever new ones needs no more memory than this. */
export const BUCKETS = 4096;

/**
 * The counter that an address shares with few others. Of an IPv6 address only
 * the network counts (the first 64 bits): one subscriber has all the rest.
 *
 * @param address as a socket tells it; null when it is not known
 */
export function ipBucket(address: string | null): string {
  if (address === null) return "unknown";
  return String(hash(networkOf(address)) % BUCKETS);
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
