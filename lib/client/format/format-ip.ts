/** A sender's IP address as people write it: an IPv4 address without the prefix that maps it into IPv6 (RFC 4291 section 2.5.5.2). */
export const formatIp = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
