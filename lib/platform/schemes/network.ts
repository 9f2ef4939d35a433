import ipaddr from "ipaddr.js";
import type { NetworkSettings } from "#lib/contracts/sources/scheme-settings";
import type { Scheme } from "./scheme.ts";

/** Nothing is signed: only where a request comes from counts. For senders inside a network of one's own. */
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

/** True for an address or a network in CIDR form, written in full; false for the whole internet. */
export function isNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  if (more.length > 0 || !(ipaddr.IPv4.isValidFourPartDecimal(address) || (ipaddr.IPv6.isValid(address) && address.includes(":"))))
    return false;
  return bits === undefined || (ipaddr.isValidCIDR(text) && Number(bits) > 0 && !ipaddr.parse(address).toString().startsWith("::ffff:"));
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}
