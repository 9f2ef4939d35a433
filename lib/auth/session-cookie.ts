import { env } from "#lib/config/env";

/** True when the public address is https: cookies are then `Secure` and carry a `__Host-` or `__Secure-` prefix. */
export const cookiesAreSecure = (): boolean => env().APP_URL.startsWith("https:");

/** The session cookie's name. `__Host-` keeps sibling subdomains from setting it (RFC 6265bis section 4.1.3). */
export const sessionCookieName = (): string => (cookiesAreSecure() ? "__Host-signalbox.session" : "signalbox.session");

/** The opaque session id that the request carries, or null. Ids that we can't have made are not looked up. */
export function sessionIdOf(headers: Headers): string | null {
  const name = sessionCookieName();
  for (const pair of headers.get("cookie")?.split(";") ?? []) {
    const [key, value = ""] = pair.trim().split("=", 2);
    if (key === name && /^[A-Za-z0-9_-]{43}$/.test(value)) return value;
  }
  return null;
}
