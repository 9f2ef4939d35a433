import { createHash, createHmac, randomBytes } from "node:crypto";
import { z } from "zod";
import { env } from "#lib/config/env";
import { ownCommand } from "#lib/config/product";
import { AppError } from "#lib/contracts/api/app-error";
import { bodyTextOf } from "#lib/http/request-body";
import { pageResponse, redirectResponse } from "#lib/sandbox/http-answers";
import {
  ACCOUNTS,
  type AccountId,
  type AuthorizationRequest,
  CODE_SECONDS,
  callbackWith,
  checkAuthorizationRequest,
  DIALOG_SECONDS,
  newCredential,
  registeredApp,
  sameSecret,
} from "./authorization-request.ts";
import { type DialogFault, dialogFault, dialogPage, type ExchangeFault, isExchangeFault, rejectionPage } from "./consent-page.ts";
import * as codes from "./grants-store.ts";

export function answerAuthorize(request: Request, now: Date): Response {
  const app = registeredApp();
  const checked = checkAuthorizationRequest(new URL(request.url).searchParams, app);
  if (checked.outcome === "redirect") return redirectResponse(checked.location);
  if (checked.outcome === "reject") return pageResponse(rejectionPage(checked.reason, env().APP_URL), 400);
  const browserId = browserIdOf(request.headers.get("cookie"));
  const ticket = signTicket(checked.request, browserId, now);
  return pageResponse(dialogPage(checked.request, app.name, ticket), 200, dialogCookie(browserId));
}

const decisionForm = z.object({
  ticket: z.string(),
  decision: z.enum(["approve", "deny"]),
  account: z.enum(ACCOUNTS.map(({ id }) => id)).default(ACCOUNTS[0].id),
  fault: z.preprocess((value) => (value === "" ? null : value), dialogFault.nullable().default(null)),
});

export async function answerDecision(request: Request, now: Date): Promise<Response> {
  const form = decisionForm.safeParse(Object.fromEntries(new URLSearchParams(await bodyTextOf(request))));
  const browserId = browserIdOf(request.headers.get("cookie"));
  const asked = form.success ? openTicket(form.data.ticket, browserId, now) : null;
  if (!form.success || !asked) return pageResponse(rejectionPage("ticket_rejected", env().APP_URL), 400);
  const { decision, account, fault } = form.data;
  const location = await decide(asked, { approved: decision === "approve", account, fault }, now);
  if (location === null) return pageResponse(rejectionPage("callback_not_registered", env().APP_URL), 400);
  return redirectResponse(location);
}

type Decision = { approved: boolean; account: AccountId; fault: DialogFault | null };

/** Returns where to send the browser, with a code (RFC 6749 section 4.1.2) or an error (4.1.2.1); null: the callback is not registered. */
async function decide(request: AuthorizationRequest, decision: Decision, now: Date): Promise<string | null> {
  const { redirectUri, state } = request;
  if (!decision.approved) return callbackWith(redirectUri, { ...DENIED, state });
  switch (decision.fault) {
    case "callback_not_registered":
      return null;
    case "deny_without_state":
      return callbackWith(redirectUri, DENIED);
    case "refuse_scope":
      return callbackWith(redirectUri, { ...SCOPE_REJECTED, state });
    case "no_code":
      return callbackWith(redirectUri, { state });
    case "wrong_state":
      return callbackWith(redirectUri, { code: await issueCode(request, decision, now), state: newCredential("not_yours") });
    default:
      decision.fault satisfies ExchangeFault | "expired_code" | null;
      return callbackWith(redirectUri, { code: await issueCode(request, decision, now), state });
  }
}

const DENIED = { error: "access_denied", error_description: "The permissions were denied." };
const SCOPE_REJECTED = { error: "invalid_scope", error_description: "A requested permission is not allowed." };

async function issueCode(request: AuthorizationRequest, { account, fault }: Decision, now: Date): Promise<string> {
  const code = newCredential("code");
  await codes.insert(code, {
    workspaceId: request.workspace,
    clientId: request.clientId,
    redirectUri: request.redirectUri,
    scope: request.scopes.join(" "),
    account,
    challenge: request.challenge,
    fault: isExchangeFault(fault) ? fault : null,
    expiresAt: new Date(now.getTime() + (fault === "expired_code" ? -1 : CODE_SECONDS) * 1000),
  });
  return code;
}

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

const DIALOG_COOKIE = "sandbox_dialog";

function browserIdOf(cookieHeader: string | null): string {
  const found = new RegExp(`(?:^|;\\s*)${DIALOG_COOKIE}=([A-Za-z0-9_-]{43})(?:;|$)`).exec(cookieHeader ?? "");
  return found?.[1] ?? randomBytes(32).toString("base64url");
}

/** Returns the Set-Cookie line: only for the consent page, never read by script. */
function dialogCookie(browserId: string): string {
  const secure = env().APP_URL.startsWith("https:") ? "; Secure" : "";
  return `${DIALOG_COOKIE}=${browserId}; Path=/sandbox/oauth; HttpOnly; SameSite=Lax; Max-Age=${DIALOG_SECONDS}${secure}`;
}

function signTicket(request: AuthorizationRequest, browserId: string, now: Date): string {
  const ticket = { request, browser: browserMark(browserId), expiresAt: now.getTime() + DIALOG_SECONDS * 1000 };
  const payload = Buffer.from(JSON.stringify(ticket)).toString("base64url");
  return `${payload}.${signature(payload)}`;
}

/** Returns the request in a ticket; null if the ticket is forged, expired or of another browser. */
function openTicket(ticket: string, browserId: string, now: Date): AuthorizationRequest | null {
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
