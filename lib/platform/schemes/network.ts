import ipaddr from "ipaddr.js";
import type { NetworkSettings } from "#lib/contracts/sources/scheme-settings";
import type { Scheme } from "./scheme.ts";

/** Verifies only the sender's network: nothing is signed. For senders inside one's own network. */
export function networkScheme({ networks }: NetworkSettings): Scheme {
  const ranges = networks.map((network) => (network.includes("/") ? ipaddr.parseCIDR(network) : wholeAddress(network)));
  return {
    trust: "network",
    headers: [],
    needsSecret: false,
    verify({ remoteAddress }) {
      if (remoteAddress === null || !ipaddr.isValid(remoteAddress)) return { outcome: "network_unknown" };
      const address = ipaddr.process(remoteAddress);
      const inside = ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
      return inside ? { outcome: "verified", form: "network", secretId: "none" } : { outcome: "network_unknown" };
    },
    sign: () => ({}),
  };
}

/** The widest networks that count as one's own; IPv6 has a wider block for private use (fc00::/7, RFC 4193). */
const WIDEST = { ipv4: 8, ipv6: 16 };

/** True for an IP address or a CIDR network, written in full; false for the whole internet, or half of it. */
export function isNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  if (more.length > 0 || !(ipaddr.IPv4.isValidFourPartDecimal(address) || (ipaddr.IPv6.isValid(address) && address.includes(":"))))
    return false;
  if (bits === undefined) return true;
  if (!ipaddr.isValidCIDR(text)) return false;
  const network = ipaddr.parse(address);
  if (network.toString().startsWith("::ffff:")) return false;
  return Number(bits) >= WIDEST[network.kind()] || (network.range() === "uniqueLocal" && Number(bits) >= 7);
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}
