import * as z from "zod/mini";
import { moment, nameText, pageOf } from "#lib/contracts/api/parameters";
import { givenSecret } from "#lib/contracts/sources/sources";
import { ROLES } from "./roles.ts";

export const role = z.enum(ROLES);
export type Role = z.infer<typeof role>;

/** `secret`: issued by the platform; without it a random one is made. */
export const rotateSecretBody = z.object({
  overlapHours: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(168)), 24),
  secret: z.optional(givenSecret),
});
export type RotateSecretBody = z.infer<typeof rotateSecretBody>;
export const rotatedSecret = z.object({ id: z.string(), secret: z.nullable(z.string()), previousValidUntil: z.nullable(z.string()) });

const delayParts = { events: z.int(), p50Ms: z.nullable(z.number()), p95Ms: z.nullable(z.number()) };

/** From the platform's `created` to the receipt, in milliseconds. `created` has whole seconds: a delay reads up to a second too long. */
export const sourceDelay = z.object({
  since: z.string(),
  stepSeconds: z.int(),
  /** False if only the newest 20,000 events were read, or reading took too long. */
  complete: z.boolean(),
  ...delayParts,
  /** Events that are not measured: received more than a day after `created` (late or replayed), or the sandbox's history. */
  leftOut: z.int(),
  bars: z.array(z.object({ at: z.string(), ...delayParts })),
});
export type SourceDelay = z.infer<typeof sourceDelay>;

export const sessionInfo = z.object({
  user: z.nullable(z.object({ id: z.string(), email: z.string(), name: z.nullable(z.string()) })),
  workspace: z.object({ id: z.string(), name: z.string() }),
  role,
});
export type SessionInfo = z.infer<typeof sessionInfo>;

export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string(),
  role,
  createdBy: z.nullable(z.string()),
  createdAt: z.string(),
  expiresAt: z.nullable(z.string()),
  lastUsedAt: z.nullable(z.string()),
});
export type ApiKey = z.infer<typeof apiKey>;
export const apiKeyList = pageOf(apiKey);
export const createApiKeyBody = z.object({
  name: nameText(80),
  role: z.enum(["admin", "developer", "viewer"]),
  expiresAt: z.nullish(moment),
});
export type CreateApiKeyBody = z.infer<typeof createApiKeyBody>;
export const createdApiKey = z.extend(apiKey, { key: z.string() });

export const member = z.object({
  id: z.string(),
  email: z.string(),
  name: z.nullable(z.string()),
  role,
  since: z.string(),
  /** Working API keys that the member made, and those made with such a key. */
  apiKeys: z.int(),
  secondFactor: z.boolean(),
});
export type Member = z.infer<typeof member>;
export const memberList = pageOf(member);
