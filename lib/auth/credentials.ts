import { crc32 } from "node:zlib";
import { env } from "#lib/config/env";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import { DEVICE_SECONDS, touchDevice } from "./sign-in/attempt-store.ts";

/** True if the public URL is https: cookies are then `Secure`, with a `__Host-` or `__Secure-` prefix. */
export const cookiesAreSecure = (): boolean => env().APP_URL.startsWith("https:");

type CookieKind = "session" | "device" | "passkey";

const DEFAULT_PORTS = ["", "3000"];

/** Returns what a cookie's name has of the port: two installations on one host would overwrite each other's (RFC 6265, section 8.5). */
export function cookiePort(): string {
  const { port } = new URL(env().APP_URL);
  return DEFAULT_PORTS.includes(port) ? "" : `-${port}`;
}

/** Returns a name that sibling subdomains can't set, due to `__Host-` (RFC 6265bis, section 4.1.3). */
export const cookieName = (kind: CookieKind, port = cookiePort()): string =>
  `${cookiesAreSecure() ? "__Host-" : ""}signalbox${port}.${kind}`;

export const sessionCookieName = (): string => cookieName("session");

/** Reads the name of before it had the port too, until what it holds ends. */
const heldIn = (headers: Headers, kind: CookieKind): string | null =>
  cookieValue(headers, cookieName(kind)) ?? cookieValue(headers, cookieName(kind, ""));

export const sessionIdOf = (headers: Headers): string | null => heldIn(headers, "session");

/** Returns the session that only the name of before the port holds: next-auth doesn't read that. */
export const earlierSessionIdOf = (headers: Headers): string | null =>
  cookieValue(headers, sessionCookieName()) === null ? cookieValue(headers, cookieName("session", "")) : null;

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

/** Returns null for a browser without an earlier sign-in. */
export function deviceHashOf(headers: Headers): string | null {
  const id = heldIn(headers, "device");
  return id === null ? null : hashToken(id);
}

/** Makes the browser known. That opens nothing: it only keeps other clients' failures from locking the person out. */
export async function knowDevice(headers: Headers, userId: string, now: Date): Promise<string> {
  const id = heldIn(headers, "device") ?? newToken();
  await touchDevice(hashToken(id), userId, now);
  return deviceCookieLine(id);
}

export function deviceCookieLine(id: string): string {
  const secure = cookiesAreSecure() ? "; Secure" : "";
  return `${cookieName("device")}=${id}; Path=/; Max-Age=${DEVICE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

/** Prefix of generated keys; an operator's INIT_API_KEY is any text after `sbx_`. */
const OURS = "sbx_key1_";
const CHECKSUM_LENGTH = 7;
const OUR_FORM = /^sbx_key1_[A-Za-z0-9_-]{43}[0-9a-z]{7}$/;
const ANY_FORM = /^sbx_[\x21-\x7e]{36,200}$/;
/** The prefix and four of the 43 random characters, to recognise a key by. */
const HINT_LENGTH = OURS.length + 4;

/** Returns the prefix, 256 random bits in base64url and a CRC-32 in base 36, which tells secret scanners a real key from a look-alike. */
export function newApiKey(): string {
  const text = OURS + newToken();
  return text + checksumOf(text);
}

/** False if the text can't be a key (wrong form, mistyped, cut); spares a database query. */
export function mayBeApiKey(text: string): boolean {
  if (!text.startsWith(OURS)) return ANY_FORM.test(text);
  return OUR_FORM.test(text) && checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** Returns what lists show of a key; never enough to use it. */
export const hintOf = (key: string): string => key.slice(0, key.startsWith(OURS) ? HINT_LENGTH : 8);

const checksumOf = (text: string): string => crc32(text).toString(36).padStart(CHECKSUM_LENGTH, "0");
