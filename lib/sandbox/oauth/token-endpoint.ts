import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyTextOf } from "#lib/http/request-body";
import {
  ACCESS_SECONDS,
  ACCOUNTS,
  newCredential,
  type RegisteredApp,
  SHORT_ACCESS_SECONDS,
  SLOW_MS,
  sameSecret,
} from "./authorization-request.ts";
import { type Code, findByRefreshToken, redeem, revokeByToken, rotate, type TokenPair } from "./grants-store.ts";

/** Text is sent as a page, which no client expects. */
export type Answer = { status: number; body: Record<string, unknown> | string | null };

type Fields = Record<string, string>;

/** Answers `POST /oauth/token` (docs/platform.md, "Token request body fields"; RFC 6749 sections 4.1.3, 5 and 6). */
export async function answerToken(fields: Fields, app: RegisteredApp, now: Date): Promise<Answer> {
  if (!isClient(fields, app)) return INVALID_CLIENT;
  if (fields.grant_type === "authorization_code") return exchangeCode(fields, app, now);
  if (fields.grant_type === "refresh_token") return refresh(fields, app, now);
  return oauthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.");
}

/** Answers `POST /oauth/revoke` (RFC 7009): 200 whether or not the token was known. */
export async function answerRevocation(fields: Fields, app: RegisteredApp, now: Date): Promise<Answer> {
  if (!isClient(fields, app)) return INVALID_CLIENT;
  if (!fields.token) return oauthError("invalid_request", "token is required.");
  await revokeByToken(fields.token, app.clientId, now);
  return { status: 200, body: null };
}

function isClient({ client_id = "", client_secret = "" }: Fields, app: RegisteredApp): boolean {
  const known = sameSecret(client_id, app.clientId);
  return sameSecret(client_secret, app.clientSecret) && known;
}

async function exchangeCode(fields: Fields, app: RegisteredApp, now: Date): Promise<Answer> {
  const { code, redirect_uri: redirectUri } = fields;
  if (!code || !redirectUri) return oauthError("invalid_request", "code and redirect_uri are required.");
  let made: Promise<Answer> | undefined;
  const result = await redeem(code, now, (stored) => {
    const answer = rejectCode(stored, fields, app, now);
    if (answer) return { outcome: "rejected" as const, answer };
    const { workspaceId, account, fault } = stored;
    const scope = fault === "fewer_scopes" ? (stored.scope.split(" ")[0] ?? "") : stored.scope;
    const tokens = newTokens(now, fault);
    made = inItsTime(success(tokens, { scope, account, fault }, now), fault === "slow_answer" ? fault : null);
    return { outcome: "grant" as const, grant: { workspaceId, clientId: app.clientId, account, scope, fault, tokens } };
  });
  if (result.outcome === "rejected") return result.answer;
  if (result.outcome === "reused") return oauthError("invalid_grant", "The code was already used; the tokens issued for it are revoked.");
  return made ?? oauthError("invalid_grant", "Unknown code.");
}

function rejectCode(code: Code, fields: Fields, app: RegisteredApp, now: Date): Answer | null {
  if (code.fault === "wrong_client") return INVALID_CLIENT;
  if (code.fault === "platform_down") return { status: 503, body: { error: "temporarily_unavailable" } };
  if (code.fault === "broken_answer") return BROKEN;
  if (code.clientId !== app.clientId) return oauthError("invalid_grant", "The code was issued to another app.");
  if (code.expiresAt <= now) return oauthError("invalid_grant", "The code has expired.");
  if (code.redirectUri !== fields.redirect_uri) return oauthError("invalid_grant", "redirect_uri differs from the authorization request.");
  // Without a challenge a verifier is rejected too, or stripping the challenge would go unnoticed (RFC 9700 section 2.1.1).
  const challenge = fields.code_verifier === undefined ? null : challengeOf(fields.code_verifier);
  return challenge === code.challenge ? null : oauthError("invalid_grant", "code_verifier does not match the code_challenge.");
}

const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");

async function refresh(fields: Fields, app: RegisteredApp, now: Date): Promise<Answer> {
  if (!fields.refresh_token) return oauthError("invalid_request", "refresh_token is required.");
  const grant = await findByRefreshToken(fields.refresh_token, app.clientId);
  if (grant?.fault === "broken_renewals") return BROKEN;
  const tokens = newTokens(now, grant?.fault ?? null);
  // Also without a grant: a token that was rotated away ends its former grant.
  const rotated = await rotate(fields.refresh_token, app.clientId, tokens, now);
  if (!grant || !rotated) return oauthError("invalid_grant", "The refresh token is unknown, already used or revoked.");
  return inItsTime(success(tokens, grant, now), grant.fault === "slow_renewals" ? grant.fault : null);
}

/** Delays the answer after the work is done: a caller that gives up has lost it. */
async function inItsTime(answer: Answer, fault: string | null): Promise<Answer> {
  if (fault !== null) await sleep(SLOW_MS);
  return answer;
}

function newTokens(now: Date, fault: string | null): TokenPair {
  const seconds = fault === "short_life" ? SHORT_ACCESS_SECONDS : ACCESS_SECONDS;
  return {
    accessToken: newCredential("sat"),
    refreshToken: newCredential("srt"),
    accessExpiresAt: new Date(now.getTime() + seconds * 1000),
  };
}

type Told = { scope: string; account: string; fault: string | null };

function success({ accessToken, refreshToken, accessExpiresAt }: TokenPair, { scope, account, fault }: Told, now: Date): Answer {
  return {
    status: 200,
    body: {
      access_token: accessToken,
      ...(fault !== "no_refresh_token" && { refresh_token: refreshToken }),
      token_type: "Bearer",
      ...(fault !== "no_lifetime" && { expires_in: Math.round((accessExpiresAt.getTime() - now.getTime()) / 1000) }),
      scope,
      account: ACCOUNTS.find(({ id }) => id === account)?.name ?? account,
    },
  };
}

const oauthError = (error: string, description: string): Answer => ({ status: 400, body: { error, error_description: description } });

/** Answer of a failing proxy. */
const BROKEN: Answer = { status: 200, body: "<!doctype html><title>One moment" };

const INVALID_CLIENT: Answer = {
  status: 401,
  body: { error: "invalid_client", error_description: "Client ID or client secret is incorrect." },
};

export const UNREADABLE: Answer = oauthError("invalid_request", "Send each field once, as JSON or as a form.");

const MAX_CHARACTERS = 16_384;

/** Reads JSON (docs/platform.md) or a form (RFC 6749), with Basic credentials (section 2.3.1). Null if neither, too long, or repeated. */
export async function readFields(request: Request): Promise<Record<string, string> | null> {
  const text = await bodyTextOf(request);
  if (text.length > MAX_CHARACTERS) return null;
  const json = request.headers.get("content-type")?.startsWith("application/json") ?? false;
  const fields = json ? jsonFields(text) : formFields(text);
  return fields && { ...fields, ...basicCredentials(request.headers.get("authorization")) };
}

function jsonFields(text: string): Record<string, string> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
    return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return null;
  }
}

function formFields(text: string): Record<string, string> | null {
  const form = new URLSearchParams(text);
  const fields = Object.fromEntries(form);
  return Object.keys(fields).length === form.size ? fields : null;
}

function basicCredentials(authorization: string | null): Record<string, string> {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization ?? "")?.[1];
  if (!encoded) return {};
  const [clientId = "", clientSecret = ""] = Buffer.from(encoded, "base64").toString().split(":").map(formDecoded);
  return { client_id: clientId, client_secret: clientSecret };
}

function formDecoded(text: string): string {
  return new URLSearchParams(`v=${text}`).get("v") ?? "";
}
