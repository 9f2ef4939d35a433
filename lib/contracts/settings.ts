import * as z from "zod/mini";

export const role = z.enum(["owner", "admin", "developer", "viewer"]);
export type Role = z.infer<typeof role>;

/** `GET /api/v1/sources`: where webhooks come in. The secret itself is shown once, when it is made. */
export const source = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  secrets: z.array(z.object({ id: z.string(), createdAt: z.string(), validUntil: z.nullable(z.string()) })),
  lastEventAt: z.nullable(z.string()),
});
export type Source = z.infer<typeof source>;
export const sourceList = z.object({ data: z.array(source), nextCursor: z.null() });

/** `secret`: the one that the platform issued; without it a random one is made. */
export const rotateSecretBody = z.object({
  overlapHours: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(168)), 24),
  secret: z.optional(
    z.string().check(
      z.minLength(8, "wants 8 characters or more"),
      z.maxLength(500),
      z.refine((text) => text.trim() === text, { error: "begins or ends with white space or a line break: take it away" }),
    ),
  ),
});
export type RotateSecretBody = z.infer<typeof rotateSecretBody>;
/** `secret` is null when it was given: whoever gave it has it. */
export const rotatedSecret = z.object({ id: z.string(), secret: z.nullable(z.string()), previousValidUntil: z.nullable(z.string()) });

/** `GET /api/v1/session`: who is asking. */
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
export const apiKeyList = z.object({ data: z.array(apiKey), nextCursor: z.null() });
/** `expiresAt` null or left out: the key works until it is revoked. */
export const createApiKeyBody = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)),
  role: z.enum(["admin", "developer", "viewer"]),
  expiresAt: z.nullish(z.iso.datetime({ offset: true })),
});
export type CreateApiKeyBody = z.infer<typeof createApiKeyBody>;
export const createdApiKey = z.extend(apiKey, { key: z.string() });

export const member = z.object({ id: z.string(), email: z.string(), name: z.nullable(z.string()), role, since: z.string() });
export type Member = z.infer<typeof member>;
export const memberList = z.object({ data: z.array(member), nextCursor: z.null() });
