import * as oauth from "oauth4webapi";
import { env } from "#lib/config/env";
import type { ConnectionProblemCode } from "#lib/contracts/connections";
import { logger } from "#lib/observability/logger";
import type { Clock } from "#lib/time/clock";
import { retryAfterMs } from "./retry-after.ts";
import { codeOf, failed, readGrant, readTokenError, type TokenFailure, type TokenOutcome } from "./token-answer.ts";
import { platformFetch, TransportError } from "./transport.ts";

export type { Leftover, TokenFailure, TokenGrant, TokenOutcome } from "./token-answer.ts";

/** Returns the redirect URI to register in the OAuth app (docs/platform.md, "Rules"). */
export const redirectUri = (): string => `${env().APP_URL}/callback`;

export const platformSetup = (): { missing: string[]; redirectUri: string } => ({
  missing: env().platformMissing,
  redirectUri: redirectUri(),
});

export const requiredScopes = (): string[] => env().platform.scopes;

/** Returns a PKCE verifier (RFC 7636) if the platform is configured to check one. */
export const newVerifier = (): string | null => (env().PLATFORM_PKCE === "S256" ? oauth.generateRandomCodeVerifier() : null);

type AuthorizationRequest = { workspaceId: string; state: string; verifier: string | null; redirectUri: string; scopes: string[] };

/** Returns the URL of the consent page (docs/platform.md, "Authorization request query parameters"; scopes joined by `+`). */
export async function authorizationUrl({ workspaceId, state, verifier, redirectUri, scopes }: AuthorizationRequest): Promise<string> {
  const { authUrl, clientId } = env().platform;
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(" "), // URLSearchParams writes a space as "+"
    response_type: "code",
    state,
  });
  // The sandbox is a platform for each workspace.
  if (!env().PLATFORM_AUTH_URL) query.set("workspace", workspaceId);
  if (verifier) {
    query.set("code_challenge", await oauth.calculatePKCECodeChallenge(verifier));
    query.set("code_challenge_method", "S256");
  }
  return `${authUrl}/oauth/authorize?${query}`;
}

export type CallbackOutcome =
  | { outcome: "code"; parameters: URLSearchParams }
  | { outcome: "rejected"; code: ConnectionProblemCode; raw: string | null };

/** Reads a code or an error (RFC 6749 section 4.1.2.1). Rejects repeated parameters (3.1); checks `iss` if configured (RFC 9207). */
export function readCallback(query: URLSearchParams): CallbackOutcome {
  const parameters = new URLSearchParams(query);
  if (["code", "error", "iss"].some((name) => parameters.getAll(name).length > 1))
    return { outcome: "rejected", code: "answer_malformed", raw: "repeated_parameter" };
  if (!env().PLATFORM_ISSUER) parameters.delete("iss");
  else if (parameters.get("iss") !== env().PLATFORM_ISSUER) return { outcome: "rejected", code: "issuer_mismatch", raw: null };
  // An empty error is an error, whatever else is set.
  if (parameters.get("error") === "") return { outcome: "rejected", code: "platform_error", raw: null };
  try {
    const valid = oauth.validateAuthResponse(server(), client(), parameters, oauth.skipStateCheck);
    return valid.get("code") ? { outcome: "code", parameters: valid } : { outcome: "rejected", code: "code_missing", raw: null };
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) return { outcome: "rejected", code: "answer_malformed", raw: null };
    return { outcome: "rejected", code: codeOf(error.error), raw: /^[\x20-\x7e]{1,100}$/.test(error.error) ? error.error : null };
  }
}

type Exchange = { parameters: URLSearchParams; redirectUri: string; verifier: string | null };

/** Exchanges the code for tokens (docs/platform.md, "Token request body fields"). `parameters` are those of `readCallback`. */
export function exchangeCode({ parameters, redirectUri, verifier }: Exchange, clock: Clock): Promise<TokenOutcome> {
  return askForTokens([parameters.get("code"), verifier], clock, (options) =>
    oauth.authorizationCodeGrantRequest(server(), client(), secret(), parameters, redirectUri, verifier ?? oauth.nopkce, options),
  );
}

/** Refreshes tokens. ASSUMPTION: as in RFC 6749 section 6; docs/platform.md shows no refresh request. */
export function refreshTokens(refreshToken: string, clock: Clock): Promise<TokenOutcome> {
  return askForTokens([refreshToken], clock, (options) =>
    oauth.refreshTokenGrantRequest(server(), client(), secret(), refreshToken, options),
  );
}

/** Revokes a token at the platform (RFC 7009). `not_offered`: no URL is known; `failed`: the platform did not confirm. */
export async function revokeToken(token: string): Promise<"revoked" | "not_offered" | "failed"> {
  if (!server().revocation_endpoint) return "not_offered";
  try {
    const options = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: platformFetch("form") };
    const answer = await oauth.revocationRequest(server(), client(), secret(), token, options);
    return answer.ok ? "revoked" : "failed";
  } catch (error) {
    logger().warn({ reason: (error as Error).message }, "could not ask the platform to revoke a token");
    return "failed";
  }
}

export const offersRevocation = (): boolean => server().revocation_endpoint !== undefined;

/** Returns what revoking a token ends at the platform: its grant, or all access of its account (PLATFORM_REVOKES). */
export const revocationEnds = (): "grant" | "account" => env().platform.revokes;

type Options = oauth.TokenEndpointRequestOptions;

/** Asks for tokens. An answer that repeats one of the secrets in `sent` is not shown or kept. */
async function askForTokens(sent: (string | null)[], clock: Clock, ask: (options: Options) => Promise<Response>): Promise<TokenOutcome> {
  const now = new Date(clock.now()); // before the request: a lifetime counts from the platform's clock, which is earlier than our reading
  try {
    // http URLs are for the operator to choose: the sandbox's is one.
    const answer = await ask({ [oauth.allowInsecureRequests]: true, [oauth.customFetch]: platformFetch(env().PLATFORM_TOKEN_BODY) });
    const text = await answer.text();
    if (answer.ok) return readGrant(text, now);
    const failure = withoutEcho(readTokenError(answer.status, text), [...sent, env().platform.clientSecret]);
    const { headers } = answer;
    const wait = failure.retryable ? retryAfterMs(headers.get("retry-after"), headers.get("date"), new Date(clock.now())) : null;
    return wait === null ? failure : { ...failure, retryAfterMs: wait };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (error.kind === "too_large") return failed("answer_malformed", error.message, false);
    return failed("platform_unreachable", error.message, true);
  }
}

/** Hides an error code, which the connection's card shows, if it repeats a secret that we sent. */
function withoutEcho(failure: TokenFailure, secrets: (string | null)[]): TokenFailure {
  const echoes = secrets.some((each) => each && failure.raw?.includes(each));
  return echoes ? { ...failure, raw: null } : failure;
}

const client = (): oauth.Client => ({ client_id: env().platform.clientId });
const secret = () => oauth.ClientSecretPost(env().platform.clientSecret);

function server(): oauth.AuthorizationServer {
  const { PLATFORM_ISSUER, PLATFORM_REVOKE_URL, PLATFORM_AUTH_URL, APP_URL, platform } = env();
  const revoke = PLATFORM_REVOKE_URL ?? (PLATFORM_AUTH_URL ? undefined : `${APP_URL}/sandbox/oauth/revoke`);
  return {
    issuer: PLATFORM_ISSUER ?? platform.authUrl,
    token_endpoint: `${platform.tokenUrl}/oauth/token`,
    ...(revoke && { revocation_endpoint: revoke }),
  };
}
