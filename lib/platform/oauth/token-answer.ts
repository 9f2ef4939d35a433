import { z } from "zod";
import type { ConnectionProblemCode } from "#lib/contracts/connections";
import { plainText } from "./plain-text.ts";

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
export type TokenOutcome = { outcome: "granted"; grant: TokenGrant } | TokenFailure;

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

export const codeOf = (raw: string): ConnectionProblemCode =>
  (Object.hasOwn(KNOWN_CODES, raw) ? KNOWN_CODES[raw] : undefined) ?? "platform_error";

export const failed = (code: ConnectionProblemCode, raw: string | null, retryable: boolean): TokenFailure => ({
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
