import { createHash, createHmac, randomBytes } from "node:crypto";
import { z } from "zod";
import { env } from "#lib/config/env";
import { ownCommand } from "#lib/config/own-command";
import { AppError } from "#lib/contracts/api/app-error";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { sameSecret } from "./credentials.ts";
import { DIALOG_SECONDS } from "./registered-app.ts";

/** The checked request, bound to a cookie of the same browser: another site can't post a decision (CSRF). */

const ticketSchema = z.object({
  request: z.object({
    clientId: z.string(),
    redirectUri: z.string(),
    scopes: z.array(z.string()),
    state: z.string(),
    challenge: z.string().nullable(),
    workspace: z.string().nullable().default(null),
  }),
  browser: z.string(),
  /** Unix milliseconds. */
  expiresAt: z.number(),
});

export const DIALOG_COOKIE = "sandbox_dialog";

export function browserIdOf(cookieHeader: string | null): string {
  const found = new RegExp(`(?:^|;\\s*)${DIALOG_COOKIE}=([A-Za-z0-9_-]{43})(?:;|$)`).exec(cookieHeader ?? "");
  return found?.[1] ?? randomBytes(32).toString("base64url");
}

/** Returns the Set-Cookie line: only for the consent page, never read by script. */
export function dialogCookie(browserId: string): string {
  const secure = env().APP_URL.startsWith("https:") ? "; Secure" : "";
  return `${DIALOG_COOKIE}=${browserId}; Path=/sandbox/oauth; HttpOnly; SameSite=Lax; Max-Age=${DIALOG_SECONDS}${secure}`;
}

export function signTicket(request: AuthorizationRequest, browserId: string, now: Date): string {
  const ticket = { request, browser: browserMark(browserId), expiresAt: now.getTime() + DIALOG_SECONDS * 1000 };
  const payload = Buffer.from(JSON.stringify(ticket)).toString("base64url");
  return `${payload}.${signature(payload)}`;
}

/** Returns the request in a ticket; null if the ticket is forged, expired or of another browser. */
export function openTicket(ticket: string, browserId: string, now: Date): AuthorizationRequest | null {
  const [payload = "", given = ""] = ticket.split(".");
  if (!sameSecret(given, signature(payload))) return null;
  const parsed = ticketSchema.safeParse(JSON.parse(Buffer.from(payload, "base64url").toString()));
  if (!parsed.success || parsed.data.expiresAt < now.getTime()) return null;
  return sameSecret(parsed.data.browser, browserMark(browserId)) ? parsed.data.request : null;
}

const browserMark = (browserId: string) => createHash("sha256").update(browserId).digest("base64url");

function signature(payload: string): string {
  const { NEXTAUTH_SECRET } = env();
  if (!NEXTAUTH_SECRET)
    throw new AppError("unavailable", `NEXTAUTH_SECRET is not set. Start Signalbox with ${ownCommand("start")}, or set it.`);
  // A key of its own, so that a signature made here means nothing elsewhere.
  const key = createHmac("sha256", NEXTAUTH_SECRET).update("sandbox dialog ticket").digest();
  return createHmac("sha256", key).update(payload).digest("base64url");
}
