/** Returns an IP address without the prefix that maps IPv4 into IPv6 (RFC 4291 section 2.5.5.2). */
export const formatIp = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
