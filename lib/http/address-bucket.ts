/** Counters for all addresses of the world: a flood from ever new ones needs no more memory than this. */
export const BUCKETS = 4096;

/**
 * The counter that an address shares with few others. Of an IPv6 address only
 * the network counts (the first 64 bits): one subscriber has all the rest.
 *
 * @param address as a socket tells it; null when it is not known
 */
export function addressBucket(address: string | null): string {
  if (address === null) return "unknown";
  return String(hash(networkOf(address)) % BUCKETS);
}

/** The network that an address counts as: an IPv4 address by itself, of IPv6 the first 64 bits. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = address.slice(address.lastIndexOf(":") + 1);
  if (mapped.includes(".")) return mapped; // an IPv4 address in IPv6 dress, ::ffff:192.0.2.1
  const [before = "", after] = address.split("%")[0]?.split("::") ?? [];
  const head = before === "" ? [] : before.split(":");
  if (after === undefined) return head.slice(0, 4).join(":");
  const tail = after === "" ? [] : after.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
