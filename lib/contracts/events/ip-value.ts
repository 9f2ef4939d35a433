const IPV4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?=\d)|$)){4}$/;
/** URLs hold IPv6 addresses in brackets: browsers and Node.js both read them. */
const isIpv6 = (text: string) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`);

/** True for an IPv4 or IPv6 address, alone or with the length of its network's prefix. */
function isIpOrNetwork(text: string): boolean {
  const [, ip = "", length] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  return (IPV4.test(ip) && Number(length ?? 0) <= 32) || (isIpv6(ip) && Number(length ?? 0) <= 128);
}

/** The value of a filter by IP address (`192.0.2.1`) or by a network of them (`192.0.2.0/24`). */
export const IP_VALUE = {
  kind: "text",
  max: 50,
  check: isIpOrNetwork,
  error: "must be an IP address or a network: 192.0.2.1, 2001:db8::/32",
} as const;
