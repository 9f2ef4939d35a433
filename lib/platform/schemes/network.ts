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

/** True for an address or a network in CIDR form. */
export const isNetwork = (text: string): boolean => (text.includes("/") ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text));

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}
