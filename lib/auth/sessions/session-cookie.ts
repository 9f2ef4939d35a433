import { env } from "#lib/config/env";

/** True when the public address is https: cookies are then `Secure` and carry a `__Host-` or `__Secure-` prefix. */
export const cookiesAreSecure = (): boolean => env().APP_URL.startsWith("https:");

/** The session cookie's name. `__Host-` keeps sibling subdomains from setting it (RFC 6265bis section 4.1.3). */
export const sessionCookieName = (): string => (cookiesAreSecure() ? "__Host-signalbox.session" : "signalbox.session");

/** The opaque session id that the request carries, or null. */
export const sessionIdOf = (headers: Headers): string | null => cookieValue(headers, sessionCookieName());

/** The opaque id in a cookie of ours, or null. Ids that we can't have made are not looked up. */
export function cookieValue(headers: Headers, name: string): string | null {
  for (const pair of headers.get("cookie")?.split(";") ?? []) {
    const [key, value = ""] = pair.trim().split("=", 2);
    if (key === name && /^[A-Za-z0-9_-]{43}$/.test(value)) return value;
  }
  return null;
}

/**
 * The Set-Cookie line that puts another session id in place of the present one.
 *
 * @param seconds how long it may live
 */
export function sessionCookieLine(sessionId: string, seconds: number): string {
  const secure = cookiesAreSecure() ? "; Secure" : "";
  return `${sessionCookieName()}=${sessionId}; Path=/; Max-Age=${Math.max(0, Math.floor(seconds))}; HttpOnly; SameSite=Lax${secure}`;
}
