import { crc32 } from "node:zlib";
import { env } from "#lib/config/env";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import { DEVICE_SECONDS, touchDevice } from "./sign-in/attempt-store.ts";

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

const deviceCookieName = (): string => (cookiesAreSecure() ? "__Host-signalbox.device" : "signalbox.device");

/** Returns null for a browser without an earlier sign-in. */
export function deviceHashOf(headers: Headers): string | null {
  const id = cookieValue(headers, deviceCookieName());
  return id === null ? null : hashToken(id);
}

/** Makes the browser known. That opens nothing: it only keeps other clients' failures from locking the person out. */
export async function knowDevice(headers: Headers, userId: string, now: Date): Promise<string> {
  const id = cookieValue(headers, deviceCookieName()) ?? newToken();
  await touchDevice(hashToken(id), userId, now);
  return deviceCookieLine(id);
}

export function deviceCookieLine(id: string): string {
  const secure = cookiesAreSecure() ? "; Secure" : "";
  return `${deviceCookieName()}=${id}; Path=/; Max-Age=${DEVICE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
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
