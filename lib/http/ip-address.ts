import { AsyncLocalStorage } from "node:async_hooks";
import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { once } from "#lib/context/once";

type Origin = { address: string | null; fromThisMachine: boolean };

const store = (): AsyncLocalStorage<Origin> => once("request-origin", () => new AsyncLocalStorage<Origin>());

/** Runs the answering of a request. `fromThisMachine`: a program here sent it, without a proxy. */
export const withRequestIp = <T>(address: string | null, work: () => T, fromThisMachine = false): T =>
  store().run({ address, fromThisMachine }, work);

/** Returns the current request's IP address; null if none can be trusted (plain Next, or no request). No client can set it. */
export const requestIp = (): string | null => store().getStore()?.address ?? null;

/** True if a program on this machine sent the current request, without a proxy; false if that is not known. */
export const requestIsFromThisMachine = (): boolean => store().getStore()?.fromThisMachine ?? false;

/** Returns the n-th address from the right in `X-Forwarded-For`: each of our n proxies appends one; those left of it may be forged. */
export function resolveClientIp(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string | null {
  const direct = socketAddress ? plain(socketAddress) : null;
  if (trustedProxies === 0) return direct;
  const written = (forwardedFor ?? "").split(",").map((entry) => plain(entry.trim()));
  const client = written.at(-trustedProxies) ?? "";
  return isIP(client) ? client : direct;
}

/** Turns IPv4 seen through an IPv6 socket into IPv4, and drops brackets and a port. */
function plain(address: string): string {
  const bare = /^\[(.+)\](:\d+)?$/.exec(address)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1] ?? address;
  return bare.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** Reads IPv4 in four decimal parts, or IPv6; null for anything else. `::ffff:192.0.2.1` is IPv4. */
export function parseIp(text: string): IpAddress | null {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.process(text);
}

/** True for 127.0.0.0/8 and ::1. */
export const isLoopback = (text: string): boolean => parseIp(text)?.range() === "loopback";

/** Returns the network that an IP address counts as: the address for IPv4, the first 64 bits of IPv6. */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address; // a flood counts each of its requests: parsing costs fifty times this
  const ip = parseIp(address);
  if (ip === null) return address;
  if (!("parts" in ip)) return ip.toString();
  return ip.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}

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
