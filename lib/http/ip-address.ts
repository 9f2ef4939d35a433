import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * An IP address: IPv4 in four decimal parts and no other spelling, or IPv6. IPv4
 * seen through an IPv6 socket (`::ffff:192.0.2.1`) is IPv4.
 *
 * @returns null for any other text
 */
export function parseIp(text: string): IpAddress | null {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.process(text);
}

/** True for an address of this machine itself, 127.0.0.0/8 or ::1. */
export const isLoopback = (text: string): boolean => parseIp(text)?.range() === "loopback";

/** The network that an address counts as: a single IPv4 address, of IPv6 the first 64 bits. */
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
