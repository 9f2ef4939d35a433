const IPV4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?=\d)|$)){4}$/;
/** True for IPv6 as in a URL's brackets: browsers and Node.js both read it. */
const isIpv6 = (text: string) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`);

function isIpOrNetwork(text: string): boolean {
  const [, ip = "", length] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  return (IPV4.test(ip) && Number(length ?? 0) <= 32) || (isIpv6(ip) && Number(length ?? 0) <= 128);
}

export const IP_VALUE = {
  kind: "text",
  max: 50,
  check: isIpOrNetwork,
  error: "must be an IP address or a network: 192.0.2.1, 2001:db8::/32",
} as const;
