import { createHash } from "node:crypto";
import { type Code, redeem } from "./codes-store.ts";
import { newCredential, sameSecret } from "./credentials.ts";
import { revokeByToken, rotate, type TokenPair } from "./grants-store.ts";
import { ACCESS_SECONDS, ACCOUNTS, type RegisteredApp } from "./registered-app.ts";

/** An answer of the token or revocation endpoint, before it becomes HTTP. */
export type Answer = { status: number; body: Record<string, unknown> | null };

type Fields = Record<string, string>;

/**
 * Answers `POST /oauth/token` (platform-spec "Token request body fields";
 * RFC 6749 sections 4.1.3, 5 and 6). Which app asks is checked before anything
 * else is looked at.
 */
export async function answerToken(fields: Fields, app: RegisteredApp, now: Date): Promise<Answer> {
  if (!isClient(fields, app)) return INVALID_CLIENT;
  if (fields.grant_type === "authorization_code") return exchangeCode(fields, app, now);
  if (fields.grant_type === "refresh_token") return refresh(fields, app, now);
  return refusal("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.");
}

/** Answers `POST /oauth/revoke` (RFC 7009): 200 whether or not the token was known. */
export async function answerRevocation(fields: Fields, app: RegisteredApp, now: Date): Promise<Answer> {
  if (!isClient(fields, app)) return INVALID_CLIENT;
  if (!fields.token) return refusal("invalid_request", "token is required.");
  await revokeByToken(fields.token, app.clientId, now);
  return { status: 200, body: null };
}

function isClient({ client_id = "", client_secret = "" }: Fields, app: RegisteredApp): boolean {
  const known = sameSecret(client_id, app.clientId);
  return sameSecret(client_secret, app.clientSecret) && known;
}

async function exchangeCode(fields: Fields, app: RegisteredApp, now: Date): Promise<Answer> {
  const { code, redirect_uri: redirectUri } = fields;
  if (!code || !redirectUri) return refusal("invalid_request", "code and redirect_uri are required.");
  const tokens = newTokens(now);
  let granted: Code | undefined;
  const result = await redeem(code, now, (stored) => {
    const answer = refuseCode(stored, fields, app, now);
    if (answer) return { outcome: "refused" as const, answer };
    granted = stored;
    const { account, scope } = stored;
    return { outcome: "grant" as const, grant: { clientId: app.clientId, account, scope, tokens } };
  });
  if (result.outcome === "refused") return result.answer;
  if (result.outcome === "reused") return refusal("invalid_grant", "The code was used before; what it was exchanged for is revoked.");
  if (!granted || result.outcome === "unknown") return refusal("invalid_grant", "The code is not known.");
  return success(tokens, granted.scope, granted.account);
}

/** Why a stored code may not be exchanged; null when it may. */
function refuseCode(code: Code, fields: Fields, app: RegisteredApp, now: Date): Answer | null {
  if (code.fault === "wrong_client") return INVALID_CLIENT;
  if (code.fault === "platform_down") return { status: 503, body: { error: "temporarily_unavailable" } };
  if (code.clientId !== app.clientId) return refusal("invalid_grant", "The code belongs to another app.");
  if (code.expiresAt <= now) return refusal("invalid_grant", "The code has expired.");
  if (code.redirectUri !== fields.redirect_uri)
    return refusal("invalid_grant", "redirect_uri is not the one of the authorization request.");
  // Without a challenge a verifier is refused too, else stripping the challenge would go unnoticed (RFC 9700 section 2.1.1).
  const challenge = fields.code_verifier === undefined ? null : challengeOf(fields.code_verifier);
  return challenge === code.challenge ? null : refusal("invalid_grant", "code_verifier does not fit the code_challenge.");
}

const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");

async function refresh(fields: Fields, app: RegisteredApp, now: Date): Promise<Answer> {
  if (!fields.refresh_token) return refusal("invalid_request", "refresh_token is required.");
  const tokens = newTokens(now);
  const grant = await rotate(fields.refresh_token, app.clientId, tokens);
  if (!grant) return refusal("invalid_grant", "The refresh token is not known, was used before, or is revoked.");
  return success(tokens, grant.scope, grant.account);
}

function newTokens(now: Date): TokenPair {
  return {
    accessToken: newCredential("sat"),
    refreshToken: newCredential("srt"),
    accessExpiresAt: new Date(now.getTime() + ACCESS_SECONDS * 1000),
  };
}

function success({ accessToken, refreshToken }: TokenPair, scope: string, accountId: string): Answer {
  const account = ACCOUNTS.find(({ id }) => id === accountId)?.name ?? accountId;
  return {
    status: 200,
    body: {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: "Bearer",
      expires_in: ACCESS_SECONDS,
      scope,
      account,
    },
  };
}

const refusal = (error: string, description: string): Answer => ({ status: 400, body: { error, error_description: description } });

const INVALID_CLIENT: Answer = {
  status: 401,
  body: { error: "invalid_client", error_description: "Client ID or client secret is incorrect." },
};

/** The answer to a body that is neither JSON fields nor a form. */
export const UNREADABLE: Answer = refusal("invalid_request", "Send the fields as JSON or as a form, each once.");
