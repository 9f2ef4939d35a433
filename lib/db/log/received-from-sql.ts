/** Matches an IP address or a network. Stored IPv6 may have a zone, which `inet` refuses; only the asked family is cast. */
export function receivedFromSql(column: string, ip: string, bind: (value: unknown) => string): string {
  const isIpv6 = ip.includes(":");
  if (!isIpv6 && !ip.includes("/")) return `${column} = ${bind(ip)}`;
  const family = isIpv6 ? `${column} LIKE '%:%'` : `${column} ~ '^[0-9]{1,3}(\\.[0-9]{1,3}){3}$'`;
  return `CASE WHEN ${family} THEN split_part(${column}, '%', 1)::inet <<= ${bind(ip)}::inet ELSE false END`;
}
