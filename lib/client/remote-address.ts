/** A sender's address as people know it: an IPv4 address without the prefix that maps it into IPv6 (RFC 4291 section 2.5.5.2). */
export const addressWords = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
