import { env } from "#lib/config/env";

/** True if the public URL is https: cookies are then `Secure`, with a `__Host-` or `__Secure-` prefix. */
export const cookiesAreSecure = (): boolean => env().APP_URL.startsWith("https:");

/** Returns a name that sibling subdomains can't set, due to `__Host-` (RFC 6265bis, section 4.1.3). */
export const sessionCookieName = (): string => (cookiesAreSecure() ? "__Host-signalbox.session" : "signalbox.session");

export const sessionIdOf = (headers: Headers): string | null => cookieValue(headers, sessionCookieName());

/** Returns null for values that can't be an ID of ours. */
export function cookieValue(headers: Headers, name: string): string | null {
  for (const pair of headers.get("cookie")?.split(";") ?? []) {
    const [key, value = ""] = pair.trim().split("=", 2);
    if (key === name && /^[A-Za-z0-9_-]{43}$/.test(value)) return value;
  }
  return null;
}

export function sessionCookieLine(sessionId: string, seconds: number): string {
  const secure = cookiesAreSecure() ? "; Secure" : "";
  return `${sessionCookieName()}=${sessionId}; Path=/; Max-Age=${Math.max(0, Math.floor(seconds))}; HttpOnly; SameSite=Lax${secure}`;
}
