import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { env } from "#lib/config/env";
import { type AllowList, readAllowList } from "#lib/config/setting-formats";

/** `refused` is our decision; `unknown_host` is DNS's. */
type TargetRefusal = {
  ok: false;
  code: "refused" | "unknown_host";
  /** For who enters the URL: what is wrong, and what to do. */
  reason: string;
  /** Without what to do, which an attempt says by its outcome. */
  what: string;
};

type CheckedTarget = { ok: true; target: TargetUrl; addresses: string[] };

/** Checks a URL before saving, testing and every connection. All addresses of a name must pass: it could be any of them. */
export async function checkTarget(text: string, resolve: Resolve = resolveBySystem): Promise<CheckedTarget | TargetRefusal> {
  const read = readTargetUrl(text);
  if (!read.ok) return refused(read.reason);
  const { target } = read;
  const addresses = await addressesOf(target.host, resolve);
  if (addresses.length === 0) return { ...refused(`The host name ${target.host} was not found`), code: "unknown_host" };
  const rulings = addresses.map((address) => ruleOn(address, target));
  const at = rulings.findIndex((ruling) => ruling === "never" || ruling === "private");
  if (at >= 0) return refusalOf(target.host, addresses[at] ?? "", rulings[at] === "never");
  if (!target.secure && rulings.some((ruling) => ruling !== "allowed"))
    return refused("Use https://. Plain http:// is only accepted for private targets listed in FORWARD_ALLOW.");
  return { ok: true, target, addresses };
}

/** Checks the address that a socket is connected to, the last check before anything is sent. */
export function mayTalkTo(remoteAddress: string | undefined, target: TargetUrl): boolean {
  const ruling = ruleOn(remoteAddress ?? "", target);
  return ruling === "allowed" || (ruling === "public" && target.secure);
}

const RECEIVING_APP = /^\/sandbox\/receiving-app\/rcv_[0-9a-z]+$/;

/** True for the sandbox's receiving app, allowed at a private address and without the proxy, to which `localhost` is another machine. */
export function isReceivingApp({ origin, path }: TargetUrl): boolean {
  const { sandboxOn, APP_URL } = env();
  return sandboxOn && origin === APP_URL && RECEIVING_APP.test(path);
}

function ruleOn(address: string, target: TargetUrl): AddressRuling {
  const { ranges, hosts } = allowListOf();
  return ruleOnAddress(address, ranges, hosts.includes(target.host.toLowerCase()) || isReceivingApp(target));
}

async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    return await resolve(host);
  } catch {
    return [];
  }
}

let parsed: { text: string; list: AllowList } | undefined;

function allowListOf(): AllowList {
  const text = env().FORWARD_ALLOW ?? "";
  if (parsed?.text !== text) parsed = { text, list: readAllowList(text) ?? { ranges: [], hosts: [] } };
  return parsed.list;
}

function refusalOf(host: string, address: string, never: boolean): TargetRefusal {
  const where = host === address ? address : `${host} (${address})`;
  if (never)
    return refused(
      `${where} is a link-local, multicast or cloud metadata address. Signalbox never sends there, even if FORWARD_ALLOW lists it.`,
    );
  const what = `${where} is not a public address`;
  return refused(`${what}. To allow it, add it to FORWARD_ALLOW in the environment of web and worker.`, what);
}

const refused = (reason: string, what = reason): TargetRefusal => ({ ok: false, code: "refused", reason, what });

const LOW_PORTS = [80, 443];

export type TargetUrl = { href: string; origin: string; host: string; port: number; secure: boolean; path: string };

/** Reads a URL as browsers do (WHATWG): unusual forms of IPv4 addresses and international names come out in one form to check. */
export function readTargetUrl(text: string): { ok: true; target: TargetUrl } | { ok: false; reason: string } {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol)) return no("Enter an https:// URL, for example https://app.example.com/webhooks.");
  if (url.username !== "" || url.password !== "") return no("The URL must not contain a user name or password.");
  if (url.hash !== "") return no("The URL must not contain a fragment (#...).");
  const secure = url.protocol === "https:";
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  if (port < 1024 && !LOW_PORTS.includes(port)) return no(`Port ${port} can't be used: only 80, 443 and 1024 to 65535.`);
  const host = hostOf(url.hostname);
  if (host === "") return no("The URL has no host name.");
  return { ok: true, target: { href: url.href, origin: url.origin, host, port, secure, path: `${url.pathname}${url.search}` } };
}

/** Removes the brackets of an IPv6 address and the dot that ends a full name. */
export const hostOf = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.+$/, "");

const no = (reason: string) => ({ ok: false as const, reason });

export type Resolve = (host: string) => Promise<string[]>;

const underWay = new Map<string, Promise<string[]>>();

/** Shares look-ups of a host under way: each takes one of the process's few threads, and a silent DNS server would take them all. */
const resolveBySystem: Resolve = (host) => {
  const shared = underWay.get(host) ?? lookUp(host).finally(() => underWay.delete(host));
  underWay.set(host, shared);
  return shared;
};

const lookUp: Resolve = async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

type Address = ipaddr.IPv4 | ipaddr.IPv6;

type AddressRuling = "public" | "allowed" | "private" | "never";

/** Addresses that no setting allows: "any" addresses, link-local ones and cloud services that hand out credentials. */
const NEVER: [Address, number][] = [
  "0.0.0.0/8",
  "169.254.0.0/16",
  "100.100.100.200/32", // Alibaba Cloud
  "168.63.129.16/32", // Azure
  "192.0.0.192/32", // Oracle Cloud
  "224.0.0.0/4",
  "255.255.255.255/32",
  "::/128",
  "fe80::/10",
  "ff00::/8",
  "fd00:ec2::254/128", // AWS
  "fd20:ce::254/128", // Google Cloud
].map((text) => ipaddr.parseCIDR(text));

/** Of IPv6 only the global unicast addresses that IANA assigns are public. */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/** Networks whose addresses carry an IPv4 address: RFC 6052, RFC 8215, RFC 6145, RFC 3056, and deprecated compatible ones (RFC 4291). */
const CARRIERS: { network: [Address, number]; at: number }[] = [
  { network: ipaddr.parseCIDR("64:ff9b::/96"), at: 12 },
  { network: ipaddr.parseCIDR("::ffff:0:0:0/96"), at: 12 },
  { network: ipaddr.parseCIDR("2002::/16"), at: 2 },
  { network: ipaddr.parseCIDR("::/96"), at: 12 },
];

/** Rules on an address, or on the IPv4 address that it carries. A zone (`%eth0`) makes it link-local. */
export function ruleOnAddress(text: string, allowed: AllowList["ranges"], hostAllowed = false): AddressRuling {
  if (text.includes("%") || !ipaddr.isValid(text)) return "never";
  const address = unwrap(ipaddr.parse(text));
  if (isIn(address, NEVER)) return "never";
  if (hostAllowed || isIn(address, allowed)) return "allowed";
  return isPublic(address) ? "public" : "private";
}

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || isIn(address, [GLOBAL_UNICAST]);
}

function unwrap(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const carrier = CARRIERS.find(({ network }) => isIn(address, [network]));
  // `::` and `::1` carry no address.
  if (!carrier || address.range() === "unspecified" || address.range() === "loopback") return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(carrier.at, carrier.at + 4));
}

const isIn = (address: Address, ranges: [Address, number][]): boolean =>
  ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
