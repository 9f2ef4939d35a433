import { z } from "zod";
import type { ConnectionProblemCode } from "#lib/contracts/connections";

/** Tokens that the platform gave. `scopes` is null when it did not say: then they are those that were asked for (RFC 6749 section 5.1). */
export type TokenGrant = {
  accessToken: string;
  refreshToken: string | null;
  expiresAt: Date;
  /** False when the platform gave no lifetime and `expiresAt` is our assumption. */
  expiryKnown: boolean;
  scopes: string[] | null;
  /** The name of the linked account, where the answer tells one. */
  account: string | null;
  /** The platform's own id of this link, where the answer tells one. */
  integrationId: string | null;
};

/** `raw` is the platform's own error code. `retryable`: the grant may still be good, ask again later. */
export type TokenFailure = { outcome: "failed"; code: ConnectionProblemCode; raw: string | null; retryable: boolean };
export type TokenOutcome = { outcome: "granted"; grant: TokenGrant } | TokenFailure;

/** Assumption: platform-spec shows no lifetime ("Access token lifetimes: not shown"), so one that is not given is taken for ten minutes. */
const ASSUMED_LIFETIME_S = 600;
const LONGEST_LIFETIME_S = 10 * 365 * 86_400;

const token = z.string().min(1).max(16_384);
const given = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null);

const digits = z.string().regex(/^\d{1,15}(\.\d+)?$/);
/** Seconds, as a number or as its digits; nothing else is read as a number, `true` and lists included. */
const lifetime = z.union([z.number(), digits.transform(Number)]).pipe(z.number().positive());

// Assumption: platform-spec does not name the answer's fields ("response field
// names not shown"). RFC 6749's names come first, then the camelCase that the
// platform uses in its events.
const tokenAnswer = z.object({
  access_token: given(token),
  accessToken: given(token),
  refresh_token: given(token),
  refreshToken: given(token),
  expires_in: given(lifetime),
  expiresIn: given(lifetime),
  scope: given(z.union([z.string(), z.array(z.string())])),
  scopes: given(z.union([z.string(), z.array(z.string())])),
  token_type: given(z.string()),
  tokenType: given(z.string()),
  account: given(z.string().min(1).max(200)),
  integration_id: given(z.string().min(1).max(400)),
  integrationId: given(z.string().min(1).max(400)),
});

const errorAnswer = z.object({ error: z.string().regex(/^[\x20-\x7e]{1,100}$/) });

/** What a 2xx answer of the token address grants. Anything without an access token is malformed. */
export function readGrant(text: string, now: Date): TokenOutcome {
  const parsed = tokenAnswer.safeParse(parseJson(text));
  const accessToken = parsed.data?.access_token ?? parsed.data?.accessToken;
  if (!parsed.success || !accessToken) return failed("answer_malformed", null, false);
  const { data } = parsed;
  // RFC 6749 section 7.1: a token of a type that we don't understand must not be used. One without a type is a bearer token to us.
  if (!/^bearer$/i.test(data.token_type ?? data.tokenType ?? "bearer")) return failed("answer_malformed", "unknown_token_type", false);
  const seconds = data.expires_in ?? data.expiresIn ?? null;
  const life = Math.min(seconds ?? ASSUMED_LIFETIME_S, LONGEST_LIFETIME_S);
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

/**
 * Why the token address refused. RFC 6749 section 5.2 names the codes; a
 * refusal that names none has the cause that platform-spec gives for
 * "Token exchange rejected": the client's id or secret.
 */
export function readRefusal(status: number, text: string): TokenFailure {
  const raw = errorAnswer.safeParse(parseJson(text)).data?.error ?? null;
  if (status === 408 || status === 429 || status >= 500) return failed("platform_error", raw ?? `http_${status}`, true);
  if (status < 400) return failed("answer_malformed", `http_${status}`, false);
  // There is no such address, or not for POST: that is no word about the client.
  if (!raw && (status === 404 || status === 405)) return failed("answer_malformed", `http_${status}`, false);
  return failed(
    raw ? codeOf(raw) : "client_rejected",
    raw ?? `http_${status}`,
    raw === "temporarily_unavailable" || raw === "server_error",
  );
}

/** Codes of RFC 6749 (sections 4.1.2.1 and 5.2), and a common one beside them, as problems of a connection. */
const KNOWN_CODES: Record<string, ConnectionProblemCode> = {
  access_denied: "access_denied",
  invalid_client: "client_rejected",
  unauthorized_client: "client_rejected",
  invalid_scope: "scope_rejected",
  invalid_grant: "code_rejected",
  redirect_uri_mismatch: "callback_not_registered",
  invalid_redirect_uri: "callback_not_registered",
};

/** The problem that the platform's error code stands for; `platform_error` for one that nobody has described. */
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
  const scopes = (Array.isArray(value) ? value : value.split(/[\s,]+/)).map((scope) => scope.trim()).filter(Boolean);
  return scopes.length > 0 ? [...new Set(scopes)] : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // judged by the schemas: null fits none
  }
}
