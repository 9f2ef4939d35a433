import ipaddr from "ipaddr.js";
import type { AllowList } from "#lib/config/forward-allow";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

export type AddressRuling = "public" | "allowed" | "private" | "never";

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
