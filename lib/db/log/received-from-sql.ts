/**
 * Returns what was received from an IP address or a network. IP addresses are kept as text, as `isIP` of Node.js took them when
 * they were received: IPv4 in its one spelling, IPv6 in any and perhaps with a zone, which `inet` refuses. Only those of
 * the asked family are cast.
 *
 * @param column such as `e.remote_address`
 */
export function receivedFromSql(column: string, ip: string, bind: (value: unknown) => string): string {
  const isIpv6 = ip.includes(":");
  if (!isIpv6 && !ip.includes("/")) return `${column} = ${bind(ip)}`;
  const family = isIpv6 ? `${column} LIKE '%:%'` : `${column} ~ '^[0-9]{1,3}(\\.[0-9]{1,3}){3}$'`;
  return `CASE WHEN ${family} THEN split_part(${column}, '%', 1)::inet <<= ${bind(ip)}::inet ELSE false END`;
}
