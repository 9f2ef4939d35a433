import * as z from "zod/mini";
import { filterShape, nameText, pageOf, pageQuery, text } from "./api/parameters.ts";
import { CONNECTION_FILTERS, CONNECTION_STATES } from "./connection-filters.ts";

export const connectionState = z.enum(CONNECTION_STATES);

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

/** `raw` is the platform's own error code, if it gave one. */
export const connectionProblem = z.object({
  code: connectionProblemCode,
  what: z.string(),
  why: z.string(),
  fix: z.string(),
  raw: z.nullable(z.string()),
  at: z.nullable(z.string()),
});
export type ConnectionProblem = z.infer<typeof connectionProblem>;

/** Never holds a token. */
export const connection = z.object({
  id: z.string(),
  /** As it was named here, otherwise its account's name; a number until that is known. */
  name: z.string(),
  state: connectionState,
  sentence: z.string(),
  account: z.nullable(z.string()),
  /** The account linked before, if the last permission came from another one. */
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
  eventId: z.nullable(z.string()),
});
const linkedIntegration = z.object({ id: z.string(), label: z.string() });
export type LinkedIntegration = z.infer<typeof linkedIntegration>;
export const connectionDetail = z.extend(connection, {
  integrations: z.array(linkedIntegration),
  history: z.array(connectionHistoryItem),
  lastEvent: z.nullable(z.object({ id: z.string(), type: z.string(), receivedAt: z.string() })),
  /** Revocation of the tokens that were last replaced; null if there were none. */
  revocation: z.nullable(z.enum(["waiting", "revoked", "failed"])),
});
export type ConnectionDetail = z.infer<typeof connectionDetail>;
const listedConnection = z.extend(connection, { lastEventAt: z.nullable(z.string()) });
export type ListedConnection = z.infer<typeof listedConnection>;
export const connectionPage = pageOf(listedConnection);

export const connectionQuery = z.extend(pageQuery, filterShape(CONNECTION_FILTERS));

const oneLine = z.refine<string>((text) => !/[\p{Cc}\p{Cs}]/u.test(text), "must not contain control characters");

const connectionName = nameText(80, "Enter a name").check(oneLine);

export const changeConnectionBody = z.object({ name: connectionName });

export const startConnectBody = z.object({
  name: z.optional(connectionName),
  connectionId: z.optional(text(100)),
});
export const startConnectResult = z.object({ connectionId: z.string(), authorizationUrl: z.string() });

/** `pending`: asked again, also for tokens of a renewal under way. `not_possible`: no token could be opened. `failed`: given up. */
export const disconnectResult = z.object({
  erased: z.boolean(),
  revocation: z.enum(["revoked", "not_offered", "failed", "not_possible", "pending"]),
  sentence: z.string(),
});
export type DisconnectResult = z.infer<typeof disconnectResult>;
