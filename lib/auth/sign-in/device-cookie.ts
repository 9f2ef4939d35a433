import { cookiesAreSecure, cookieValue } from "#lib/auth/sessions/session-cookie";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import { DEVICE_SECONDS, touchDevice } from "./known-device-store.ts";

const deviceCookieName = (): string => (cookiesAreSecure() ? "__Host-signalbox.device" : "signalbox.device");

/** The hash of the id that this browser carries since its first sign-in; null in a browser that is new here. */
export function deviceHashOf(headers: Headers): string | null {
  const id = cookieValue(headers, deviceCookieName());
  return id === null ? null : hashToken(id);
}

/**
 * Makes the browser a known one of this person. It opens nothing: it only
 * keeps other clients' failures from locking the person out.
 *
 * @returns the Set-Cookie line
 */
export async function knowDevice(headers: Headers, userId: string, now: Date): Promise<string> {
  const id = cookieValue(headers, deviceCookieName()) ?? newToken();
  await touchDevice(hashToken(id), userId, now);
  return deviceCookieLine(id);
}

/** The Set-Cookie line that gives the browser this id. */
export function deviceCookieLine(id: string): string {
  const secure = cookiesAreSecure() ? "; Secure" : "";
  return `${deviceCookieName()}=${id}; Path=/; Max-Age=${DEVICE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}
