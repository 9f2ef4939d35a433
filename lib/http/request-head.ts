import { AsyncLocalStorage } from "node:async_hooks";
import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { once } from "#lib/context/once";
import { AppError } from "#lib/contracts/api/app-error";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** `uri-host [ ":" port ]` (RFC 3986 section 3.2.2), not empty. */
const HOST = /^(?:\[[0-9a-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::\d{0,5})?$/i;
/** A segment `.` or `..`, also encoded and between backslashes, which URL parsers take for slashes. */
const DOT_SEGMENT = /[/\\](?:\.|%2e){1,2}(?=[/\\?#]|$)/i;
const ABSOLUTE = /^(https?):\/\/([^/?#]*)(.*)$/i;

/**
 * Returns the path and query. An absolute target (RFC 9112 section 3.2.2) becomes a path, so that no redirect is built from it. Throws
 * `invalid_request` also for dot segments, which clients resolve (RFC 3986 section 5.2.4): here they would leave a prefix that a proxy
 * publishes.
 */
export function pathOf(target: string, hosts: readonly string[]): string {
  const path = withoutAuthority(target, hosts);
  if (!DOT_SEGMENT.test(path.split(/[?#]/, 1)[0] ?? "")) return path;
  throw new AppError("invalid_request", "The path contains a segment . or .., which is not followed. Send the path without it.");
}

function withoutAuthority(target: string, hosts: readonly string[]): string {
  const [host] = hosts;
  if (hosts.length > 1) throw new AppError("invalid_request", "Send the Host header once.");
  // HTTP/1.0 has no Host; later requests without one get 400 from Node's server itself.
  if (host !== undefined && !HOST.test(host)) throw new AppError("invalid_request", "The Host header is not a host name.");
  if (target.startsWith("/")) return target;
  const [, scheme, authority = "", rest = ""] = ABSOLUTE.exec(target) ?? [];
  if (!scheme) throw new AppError("invalid_request", "The request target must be a path that begins with a slash.");
  if (authority.toLowerCase() !== host?.toLowerCase())
    throw new AppError("invalid_request", "The request target names a different host than the Host header.");
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** Rejects bodies whose end two servers could see in two places (request smuggling, RFC 9112 section 6.1): codings except `chunked`. */
export function assertFraming(httpVersion: string, transferEncoding: string | undefined): void {
  if (transferEncoding === undefined) return;
  if (httpVersion === "1.0" || transferEncoding.trim().toLowerCase() !== "chunked")
    throw new AppError("invalid_request", "The only supported transfer coding is chunked, in HTTP/1.1.");
}

/** Rejects methods and paths that no route takes, before Next answers them with an error of its own. */
export function rejectHead(method: string, path: string): { error: AppError; headers: Record<string, string> } | null {
  if (!METHODS.includes(method)) {
    const error = new AppError("method_not_allowed", `No URL accepts the method ${method}.`);
    return { error, headers: { allow: METHODS.join(", ") } };
  }
  if (isDecodable(path)) return null;
  return { error: new AppError("invalid_request", "The path contains a % that is not followed by a UTF-8 character."), headers: {} };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path.split("?", 1)[0] ?? "");
    return true;
  } catch {
    return false;
  }
}

/** True if a person looks at the answer: a browser opens the URL. Programs don't ask for HTML. */
export const isPageRequest = (headers: Headers): boolean => headers.get("accept")?.includes("text/html") ?? false;

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
