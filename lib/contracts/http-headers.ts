/** Headers of a connection, or that frame a message on it (RFC 9110, section 7.6.1; RFC 9112, section 6). */
export const OF_CONNECTION =
  /^(?:connection|content-length|expect|host|http2-settings|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

export const OF_PROXIES = /^(?:forwarded|via|x-forwarded-.*|x-real-ip)$/i;

/** Bodies are kept decoded; no header's name begins with a colon, but what is kept beside headers. */
const OF_STORING = /^(?:accept-encoding|content-encoding|:.*)$/i;

/** True for a header that stays behind when a stored request is sent again, by whoever sends it. */
export const isLeftBehind = (name: string): boolean => OF_CONNECTION.test(name) || OF_PROXIES.test(name) || OF_STORING.test(name);
