import * as z from "zod/mini";
import { filterShape } from "./api/filter-schema.ts";
import { pageOf, pageQuery } from "./api/paging.ts";
import { nameText, text } from "./api/parameters.ts";
import { CONNECTION_FILTERS, CONNECTION_STATES } from "./filters/connection-filters.ts";

export const connectionState = z.enum(CONNECTION_STATES);

/** Every way that connecting or staying connected can go wrong, by a stable code. */
export const connectionProblemCode = z.enum([
  "access_denied",
  "callback_not_registered",
  "client_rejected",
  "scope_rejected",
  "token_expired",
  "state_mismatch",
  "state_expired",
  "state_used",
  "wrong_browser",
  "code_missing",
  "code_rejected",
  "issuer_mismatch",
  "platform_error",
  "answer_malformed",
  "platform_unreachable",
  "vault_key_lost",
  "integration_error",
  "revoked_at_platform",
  "grant_not_stored",
  "overtaken",
  "not_allowed",
  "not_completed",
]);
export type ConnectionProblemCode = z.infer<typeof connectionProblemCode>;

/** A problem, its likely cause and its fix. `raw` is the platform's own error code, if it gave one. */
export const connectionProblem = z.object({
  code: connectionProblemCode,
  what: z.string(),
  why: z.string(),
  fix: z.string(),
  raw: z.nullable(z.string()),
  at: z.nullable(z.string()),
});
export type ConnectionProblem = z.infer<typeof connectionProblem>;

/** A linked account. Never a token. */
export const connection = z.object({
  id: z.string(),
  name: z.string(),
  state: connectionState,
  /** The state in a sentence: "Connected, renews in 12 minutes." is the page's; this one has no times. */
  sentence: z.string(),
  account: z.nullable(z.string()),
  /** The account that was linked before, when the last permission came from another one. */
  accountBefore: z.nullable(z.string()),
  requiredScopes: z.array(z.string()),
  grantedScopes: z.array(z.string()),
  accessExpiresAt: z.nullable(z.string()),
  expiryKnown: z.boolean(),
  hasRefreshToken: z.boolean(),
  problem: z.nullable(connectionProblem),
  connectedBy: z.nullable(z.string()),
  connectedAt: z.nullable(z.string()),
  createdAt: z.string(),
  lastProvenAt: z.nullable(z.string()),
  lastRefreshAt: z.nullable(z.string()),
  nextRefreshAt: z.nullable(z.string()),
});
export type Connection = z.infer<typeof connection>;

export const connectionHistoryItem = z.object({
  at: z.string(),
  kind: z.string(),
  code: z.nullable(z.string()),
  detail: z.nullable(z.string()),
  actor: z.nullable(z.string()),
  /** The platform's event that this line records. */
  eventId: z.nullable(z.string()),
});
const linkedIntegration = z.object({ id: z.string(), label: z.string() });
export type LinkedIntegration = z.infer<typeof linkedIntegration>;
export const connectionDetail = z.extend(connection, {
  /** The integrations known to belong to it; the 10 with the newest events. */
  integrations: z.array(linkedIntegration),
  history: z.array(connectionHistoryItem),
  lastEvent: z.nullable(z.object({ id: z.string(), type: z.string(), receivedAt: z.string() })),
  /** State, at the platform, of the tokens that were last taken out of use; null when there were none. */
  revocation: z.nullable(z.enum(["waiting", "revoked", "failed"])),
});
export type ConnectionDetail = z.infer<typeof connectionDetail>;
/** As lists show it, with the time of the event that came for it last. */
const listedConnection = z.extend(connection, { lastEventAt: z.nullable(z.string()) });
export type ListedConnection = z.infer<typeof listedConnection>;
export const connectionPage = pageOf(listedConnection);

/** `GET /api/v1/connections`, newest first. */
export const connectionQuery = z.extend(pageQuery, filterShape(CONNECTION_FILTERS));

/** One line that the database can store: no control characters, no lone surrogates. */
const oneLine = z.refine<string>((text) => !/[\p{Cc}\p{Cs}]/u.test(text), "must not contain control characters");

export const startConnectBody = z.object({
  name: z.optional(nameText(80).check(oneLine)),
  /** Reconnect this one in place instead of making a new one. */
  connectionId: z.optional(text(100)),
});
export const startConnectResult = z.object({ connectionId: z.string(), authorizationUrl: z.string() });

/**
 * Result of disconnecting, here and at the platform. `revocation`: `not_offered`
 * when no URL for it is known, `failed` when it was given up, `not_possible`
 * when there was no token that could be opened, `pending` while the platform has
 * not confirmed: it is asked again, also for the tokens of a renewal under way.
 */
export const disconnectResult = z.object({
  erased: z.boolean(),
  revocation: z.enum(["revoked", "not_offered", "failed", "not_possible", "pending"]),
  sentence: z.string(),
});
/** Null for a connection that never was connected. */
export const disconnectAnswer = z.nullable(disconnectResult);
export type DisconnectResult = z.infer<typeof disconnectResult>;
