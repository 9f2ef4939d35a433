import ipaddr from "ipaddr.js";

export type AllowList = { ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][]; hosts: string[] };

const HOST_NAME = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?$/;
/** A URL's host that ends like this is an IPv4 address (WHATWG URL, "ends in a number checker"). */
const NUMBER_AT_END = /(^|\.)(0x[0-9a-f]*|\d+)$/;

/** Reads `10.0.0.0/8, 192.168.1.7, internal.example`; null if an entry is no range, address or host name. */
export function readAllowList(text: string): AllowList | null {
  const list: AllowList = { ranges: [], hosts: [] };
  for (const entry of text.split(",").map((each) => each.trim().toLowerCase())) {
    if (entry === "") continue;
    const range = readRange(entry);
    if (range) list.ranges.push(range);
    else if (HOST_NAME.test(entry) && !NUMBER_AT_END.test(entry)) list.hosts.push(entry);
    else return null;
  }
  return list;
}

function readRange(entry: string): AllowList["ranges"][number] | null {
  const [address = "", bits] = entry.split("/");
  // Only the usual notations: `10.1` or `0x0a000001` could mean another address than intended.
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !(address.includes(":") && ipaddr.IPv6.isValid(address))) return null;
  const parsed = ipaddr.parse(address);
  const longest = parsed.kind() === "ipv4" ? 32 : 128;
  if (bits === undefined) return [parsed, longest];
  return /^\d{1,3}$/.test(bits) && Number(bits) <= longest ? [parsed, Number(bits)] : null;
}

export function isHttpProxy(text: string): boolean {
  const parsed = URL.parse(text);
  return parsed?.protocol === "http:" && parsed.pathname === "/" && parsed.search === "" && parsed.hash === "";
}
