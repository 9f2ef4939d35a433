import { cookiesAreSecure, cookieValue } from "#lib/auth/sessions/session-cookie";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import { DEVICE_SECONDS, touchDevice } from "./known-device-store.ts";

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
