import * as oauth from "oauth4webapi";
import { z } from "zod";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import type { ConnectionProblemCode } from "#lib/contracts/connections";
import { retryAfterMs } from "#lib/http/retry-after";
import { logger } from "#lib/observability/logger";
import type { Clock } from "#lib/time/clock";
import {
  DiscoveryError,
  findPlatformServer,
  mayRevoke,
  type PlatformServer,
  platformFetch,
  TransportError,
} from "./authorization-server.ts";
import { plainText } from "./payload.ts";

/** Returns the redirect URI to register in the OAuth app (docs/platform.md, "Rules"). */
export const redirectUri = (): string => `${env().APP_URL}/callback`;

export const platformSetup = (): { missing: string[]; redirectUri: string } => ({
  missing: env().platformMissing,
  redirectUri: redirectUri(),
});

export const requiredScopes = (): string[] => env().platform.scopes;

/** Returns where the platform asks a person for consent, and a PKCE verifier (RFC 7636) if it checks one.
 * @throws AppError `unavailable` if that can't be read from its metadata */
export async function findConsentPage(): Promise<{ authorizeUrl: string; verifier: string | null }> {
  try {
    const { authorizeUrl, pkce } = await findPlatformServer();
    return { authorizeUrl, verifier: pkce === "S256" ? oauth.generateRandomCodeVerifier() : null };
  } catch (error) {
    if (error instanceof DiscoveryError) throw new AppError("unavailable", error.message);
    throw error;
  }
}

type AuthorizationRequest = {
  workspaceId: string;
  authorizeUrl: string;
  state: string;
  verifier: string | null;
  redirectUri: string;
  scopes: string[];
};

/** Returns the URL of the consent page (docs/platform.md, "Authorization request query parameters"; scopes joined by `+`). */
export async function authorizationUrl(asked: AuthorizationRequest): Promise<string> {
  const { workspaceId, authorizeUrl, state, verifier, redirectUri, scopes } = asked;
  const { isSandbox, clientId, scopeSeparator, authorizeParams } = env().platform;
  const page = new URL(authorizeUrl);
  for (const [name, value] of authorizeParams) page.searchParams.set(name, value);
  page.searchParams.set("client_id", clientId);
  page.searchParams.set("redirect_uri", redirectUri);
  // URLSearchParams writes a space as "+".
  if (scopes.length > 0) page.searchParams.set("scope", scopes.join(scopeSeparator));
  page.searchParams.set("response_type", "code");
  page.searchParams.set("state", state);
  // The sandbox is a platform for each workspace.
  if (isSandbox) page.searchParams.set("workspace", workspaceId);
  if (verifier) {
    page.searchParams.set("code_challenge", await oauth.calculatePKCECodeChallenge(verifier));
    page.searchParams.set("code_challenge_method", "S256");
  }
  return page.href;
}

type CallbackOutcome =
  | { outcome: "code"; parameters: URLSearchParams }
  | { outcome: "rejected"; code: ConnectionProblemCode; raw: string | null };

/** Reads a code or an error (RFC 6749 section 4.1.2.1). Rejects repeated parameters (3.1); checks `iss` if configured (RFC 9207). */
export async function readCallback(query: URLSearchParams): Promise<CallbackOutcome> {
  const parameters = new URLSearchParams(query);
  if (["code", "error", "iss"].some((name) => parameters.getAll(name).length > 1))
    return { outcome: "rejected", code: "answer_malformed", raw: "repeated_parameter" };
  const server = await findPlatformServer().catch(discoveryFailed);
  if ("outcome" in server) return { outcome: "rejected", code: server.code, raw: server.raw };
  const { issuer, demandsIss } = server;
  const iss = parameters.get("iss");
  if (issuer === null) parameters.delete("iss");
  else if (iss === null ? demandsIss : iss !== issuer) return { outcome: "rejected", code: "issuer_mismatch", raw: null };
  // An empty error is an error, whatever else is set.
  if (parameters.get("error") === "") return { outcome: "rejected", code: "platform_error", raw: null };
  try {
    const valid = oauth.validateAuthResponse(describe(server), client(), parameters, oauth.skipStateCheck);
    return valid.get("code") ? { outcome: "code", parameters: valid } : { outcome: "rejected", code: "code_missing", raw: null };
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) return { outcome: "rejected", code: "answer_malformed", raw: null };
    return { outcome: "rejected", code: codeOf(error.error), raw: /^[\x20-\x7e]{1,100}$/.test(error.error) ? error.error : null };
  }
}

type Exchange = { parameters: URLSearchParams; redirectUri: string; verifier: string | null };

/** Exchanges the code for tokens (docs/platform.md, "Token request body fields"). `parameters` are those of `readCallback`. */
export function exchangeCode({ parameters, redirectUri, verifier }: Exchange, clock: Clock): Promise<TokenOutcome> {
  return askForTokens([parameters.get("code"), verifier], clock, (server, options) =>
    oauth.authorizationCodeGrantRequest(
      describe(server),
      client(),
      credentials(server),
      parameters,
      redirectUri,
      verifier ?? oauth.nopkce,
      options,
    ),
  );
}

/** Refreshes tokens. ASSUMPTION: as in RFC 6749 section 6; docs/platform.md shows no refresh request. */
export function refreshTokens(refreshToken: string, clock: Clock): Promise<TokenOutcome> {
  return askForTokens([refreshToken], clock, (server, options) => {
    const place = { ...describe(server), token_endpoint: server.refreshUrl };
    return oauth.refreshTokenGrantRequest(place, client(), credentials(server), refreshToken, options);
  });
}

/** Revokes a token at the platform (RFC 7009). `not_offered`: no URL is known; `failed`: the platform did not confirm. */
export async function revokeToken(token: string): Promise<"revoked" | "not_offered" | "failed"> {
  try {
    const server = await findPlatformServer();
    if (server.revocationUrl === null) return "not_offered";
    const options = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: platformFetch("form") };
    const answer = await oauth.revocationRequest(describe(server), client(), credentials(server), token, options);
    return answer.ok ? "revoked" : "failed";
  } catch (error) {
    logger().warn({ reason: (error as Error).message }, "could not ask the platform to revoke a token");
    return "failed";
  }
}

export const offersRevocation = mayRevoke;

/** Returns what revoking a token ends at the platform: its grant, or all access of its account (PLATFORM_REVOKES). */
export const revocationEnds = (): "grant" | "account" => env().platform.revokes;

type Options = oauth.TokenEndpointRequestOptions;

type Ask = (server: PlatformServer, options: Options) => Promise<Response>;

/** Asks for tokens. An answer that repeats one of the secrets in `sent` is not shown or kept. */
async function askForTokens(sent: (string | null)[], clock: Clock, ask: Ask): Promise<TokenOutcome> {
  const server = await findPlatformServer().catch(discoveryFailed);
  if ("outcome" in server) return server;
  const now = new Date(clock.now()); // before the request: a lifetime counts from the platform's clock, which is earlier than our reading
  try {
    // http URLs are for the operator to choose: the sandbox's is one.
    const answer = await ask(server, { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: platformFetch(server.tokenBody) });
    const text = await answer.text();
    if (answer.ok) return readGrant(text, now);
    const rejected = withoutEcho(readTokenError(answer.status, text), [...sent, env().platform.clientSecret, basicCredentials()]);
    const failure = namedByChallenge(rejected, answer.headers.get("www-authenticate"), server.tokenAuth);
    const { headers } = answer;
    const wait = failure.retryable ? retryAfterMs(headers.get("retry-after"), headers.get("date"), new Date(clock.now())) : null;
    return wait === null ? failure : { ...failure, retryAfterMs: wait };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (error.kind === "too_large") return failed("answer_malformed", error.message, false);
    return failed("platform_unreachable", error.message, true);
  }
}

/** Nothing was sent, so the grant may still be valid. */
function discoveryFailed(error: unknown): TokenFailure {
  if (!(error instanceof DiscoveryError)) throw error;
  logger().warn({ reason: error.message }, "could not read the platform's metadata");
  return failed("platform_unreachable", "metadata_unreadable", true);
}

/** Said beside the platform's own code: it may want HTTP Basic, which it wasn't sent; many name it whatever is wrong (RFC 9110 section 11.6.1). */
export const BASIC_CHALLENGE = "WWW-Authenticate: Basic";

function namedByChallenge(failure: TokenFailure, challenge: string | null, auth: PlatformServer["tokenAuth"]): TokenFailure {
  const wantsBasic = auth === "body" && challenge !== null && /(^|,)\s*basic\b/i.test(challenge);
  if (failure.code !== "client_rejected" || !wantsBasic) return failure;
  return { ...failure, raw: failure.raw === null ? BASIC_CHALLENGE : `${failure.raw}; ${BASIC_CHALLENGE}` };
}

/** Hides an error code, which the connection's card shows, if it repeats a secret that we sent. */
function withoutEcho(failure: TokenFailure, secrets: (string | null)[]): TokenFailure {
  const echoes = secrets.some((each) => each && failure.raw?.includes(each));
  return echoes ? { ...failure, raw: null } : failure;
}

const client = (): oauth.Client => ({ client_id: env().platform.clientId });

const credentials = ({ tokenAuth }: PlatformServer): oauth.ClientAuth =>
  tokenAuth === "body"
    ? oauth.ClientSecretPost(env().platform.clientSecret)
    : (_server, _client, _body, headers) => headers.set("authorization", `Basic ${basicCredentials()}`);

/**
 * Form-encodes both (RFC 6749 section 2.3.1) as browsers do. `oauth.ClientSecretBasic` also encodes "-", "." and "_", which platforms
 * that don't decode would take for another client.
 */
function basicCredentials(): string {
  const { clientId, clientSecret } = env().platform;
  const encode = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);
  return Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString("base64");
}

const describe = ({ issuer, authorizeUrl, tokenEndpoint, revocationUrl }: PlatformServer): oauth.AuthorizationServer => ({
  issuer: issuer ?? authorizeUrl,
  token_endpoint: tokenEndpoint,
  ...(revocationUrl !== null && { revocation_endpoint: revocationUrl }),
});

/** `scopes` null: the platform did not name them; then they are the requested ones (RFC 6749 section 5.1). */
export type TokenGrant = {
  accessToken: string;
  refreshToken: string | null;
  expiresAt: Date;
  /** False if the platform gave no lifetime and `expiresAt` is our assumption. */
  expiryKnown: boolean;
  scopes: string[] | null;
  account: string | null;
  integrationId: string | null;
};

/** Tokens that an unusable answer grants anyway. After a refresh, `refreshToken` replaces the one that was sent. */
export type Leftover = { revocable: string; refreshToken: string | null };

/** `raw` is the platform's own error code. `retryable`: the grant may still be valid, ask again later. */
export type TokenFailure = {
  outcome: "failed";
  code: ConnectionProblemCode;
  raw: string | null;
  retryable: boolean;
  retryAfterMs?: number;
  leftover?: Leftover;
};
type TokenOutcome = { outcome: "granted"; grant: TokenGrant } | TokenFailure;

/** ASSUMPTION: docs/platform.md shows no lifetime ("Access token lifetimes: not shown"); ten minutes if none is given. */
const ASSUMED_LIFETIME_S = 600;
const MAX_LIFETIME_S = 10 * 365 * 86_400;
const MAX_TOKEN = 16_384;
const MAX_SCOPES = 200;
const MAX_SCOPE = 200;

// VSCHAR (RFC 6749 appendices A.12, A.17). Narrower b64token (RFC 6750 section 2.1) is not required: some platforms use "|" or ":".
const ACCESS_TOKEN = /^[\x21-\x7e]+$/;
const REFRESH_TOKEN = /^[\x20-\x7e]+$/;

const given = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null);
/** A token as it was sent; checked later. Anything but text counts as none. */
const token = given(z.string().min(1));

const digits = z.string().regex(/^\d{1,15}(\.\d+)?$/);
/** Seconds, as a number or its digits; nothing else is read as a number, such as `true` and lists. */
const lifetime = z.union([z.number(), digits.transform(Number)]).pipe(z.number().positive());
const label = (longest: number) => given(z.string().transform(plainText).pipe(z.string().min(1).max(longest)));

// ASSUMPTION: docs/platform.md does not name the answer's fields. RFC 6749's names come first, then camelCase.
const tokenAnswer = z.object({
  access_token: token,
  accessToken: token,
  refresh_token: token,
  refreshToken: token,
  expires_in: given(lifetime),
  expiresIn: given(lifetime),
  scope: given(z.union([z.string(), z.array(z.string())])),
  scopes: given(z.union([z.string(), z.array(z.string())])),
  token_type: z.unknown().optional(),
  tokenType: z.unknown().optional(),
  account: label(200),
  integration_id: label(400),
  integrationId: label(400),
});
type TokenAnswer = z.infer<typeof tokenAnswer>;

const errorAnswer = z.object({ error: z.string().regex(/^[\x20-\x7e]{1,100}$/) });

/** Reads a 2xx answer. One that names an error instead of a token is that error: some platforms always answer 200. */
export function readGrant(text: string, now: Date): TokenOutcome {
  const answer = parseJson(text);
  const { data } = tokenAnswer.safeParse(answer);
  if (!data) return failed("answer_malformed", null, false);
  const accessToken = data.access_token ?? data.accessToken;
  const named = errorAnswer.safeParse(answer).data?.error;
  if (!accessToken && named !== undefined) return failedBy(named);
  const fault = faultOf(data);
  if (!accessToken || fault) return withLeftover(failed("answer_malformed", fault, false), data);
  const seconds = data.expires_in ?? data.expiresIn ?? null;
  const life = Math.min(seconds ?? ASSUMED_LIFETIME_S, MAX_LIFETIME_S);
  return {
    outcome: "granted",
    grant: {
      accessToken,
      refreshToken: data.refresh_token ?? data.refreshToken ?? null,
      expiresAt: new Date(now.getTime() + life * 1000),
      expiryKnown: seconds !== null,
      scopes: scopeList(data.scope ?? data.scopes ?? null),
      account: data.account ?? null,
      integrationId: data.integration_id ?? data.integrationId ?? null,
    },
  };
}

function faultOf(data: TokenAnswer): string | null {
  const type = data.token_type ?? data.tokenType ?? "bearer";
  const [access, refresh] = [data.access_token ?? data.accessToken, data.refresh_token ?? data.refreshToken];
  if (access && !isToken(access, ACCESS_TOKEN)) return "unusable_access_token";
  if (refresh && !isToken(refresh, REFRESH_TOKEN)) return "unusable_refresh_token";
  // RFC 6749 section 7.1: a token of an unknown type must not be used. Without a type it is a bearer token.
  const known = typeof type === "string" && /^bearer$/i.test(type);
  return access && !known ? "unknown_token_type" : null;
}

const isToken = (text: string, alphabet: RegExp): boolean => text.length <= MAX_TOKEN && alphabet.test(text);

/** Adds the leftover of an answer that grants; an error that contains tokens repeats what it was sent. */
function withLeftover(failure: TokenFailure, data: TokenAnswer): TokenFailure {
  const refresh = data.refresh_token ?? data.refreshToken ?? null;
  const revocable = refresh ?? data.access_token ?? data.accessToken;
  if (!revocable) return failure;
  return { ...failure, leftover: { revocable, refreshToken: refresh && isToken(refresh, REFRESH_TOKEN) ? refresh : null } };
}

/** Reads an error (RFC 6749 section 5.2). Without a code: the client's ID or secret (docs/platform.md, "Token exchange rejected"). */
export function readTokenError(status: number, text: string): TokenFailure {
  const raw = errorAnswer.safeParse(parseJson(text)).data?.error ?? null;
  if (status === 408 || status === 429 || status >= 500) return failed("platform_error", raw ?? `http_${status}`, true);
  if (status < 400) return failed("answer_malformed", `http_${status}`, false);
  // A wrong URL says nothing about the client.
  if (!raw && (status === 404 || status === 405)) return failed("answer_malformed", `http_${status}`, false);
  return raw ? failedBy(raw) : failed("client_rejected", `http_${status}`, false);
}

const failedBy = (raw: string): TokenFailure => failed(codeOf(raw), raw, raw === "temporarily_unavailable" || raw === "server_error");

/** Codes of RFC 6749 (sections 4.1.2.1 and 5.2) and a common one. */
const KNOWN_CODES: Record<string, ConnectionProblemCode> = {
  access_denied: "access_denied",
  invalid_client: "client_rejected",
  unauthorized_client: "client_rejected",
  invalid_scope: "scope_rejected",
  invalid_grant: "code_rejected",
  redirect_uri_mismatch: "callback_not_registered",
  invalid_redirect_uri: "callback_not_registered",
};

const codeOf = (raw: string): ConnectionProblemCode => (Object.hasOwn(KNOWN_CODES, raw) ? KNOWN_CODES[raw] : undefined) ?? "platform_error";

const failed = (code: ConnectionProblemCode, raw: string | null, retryable: boolean): TokenFailure => ({
  outcome: "failed",
  code,
  raw,
  retryable,
});

function scopeList(value: string | string[] | null): string[] | null {
  if (value === null) return null;
  const all = (Array.isArray(value) ? value : value.split(/[\s,]+/)).map(plainText);
  const scopes = new Set(all.filter((scope) => scope !== "" && scope.length <= MAX_SCOPE));
  return scopes.size > 0 ? [...scopes].slice(0, MAX_SCOPES) : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // checked by the schemas: null matches none
  }
}
