import { z } from "zod";

export const role = z.enum(["owner", "admin", "developer", "viewer"]);
export type Role = z.infer<typeof role>;

/** `GET /api/v1/sources`: where webhooks come in. The secret itself is shown once, when it is made. */
export const source = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  secrets: z.array(z.object({ id: z.string(), createdAt: z.string(), validUntil: z.string().nullable() })),
  lastEventAt: z.string().nullable(),
});
export type Source = z.infer<typeof source>;
export const sourceList = z.object({ data: z.array(source), nextCursor: z.null() });

/** `secret`: the one that the platform issued; without it a random one is made. */
export const rotateSecretBody = z.object({
  overlapHours: z.coerce.number().int().min(0).max(168).default(24),
  secret: z
    .string()
    .min(8, "wants 8 characters or more")
    .max(500)
    .refine((text) => text.trim() === text, { error: "begins or ends with white space or a line break: take it away" })
    .optional(),
});
export type RotateSecretBody = z.infer<typeof rotateSecretBody>;
/** `secret` is null when it was given: whoever gave it has it. */
export const rotatedSecret = z.object({ id: z.string(), secret: z.string().nullable(), previousValidUntil: z.string().nullable() });

/** `GET /api/v1/session`: who is asking. */
export const sessionInfo = z.object({
  user: z.object({ id: z.string(), email: z.string(), name: z.string().nullable() }).nullable(),
  workspace: z.object({ id: z.string(), name: z.string() }),
  role,
});
export type SessionInfo = z.infer<typeof sessionInfo>;

export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string(),
  role,
  createdBy: z.string().nullable(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;
export const apiKeyList = z.object({ data: z.array(apiKey), nextCursor: z.null() });
/** `expiresAt` null or left out: the key works until it is revoked. */
export const createApiKeyBody = z.object({
  name: z.string().trim().min(1).max(80),
  role: role.exclude(["owner"]),
  expiresAt: z.iso.datetime({ offset: true }).nullish(),
});
export type CreateApiKeyBody = z.infer<typeof createApiKeyBody>;
export const createdApiKey = apiKey.extend({ key: z.string() });

export const member = z.object({ id: z.string(), email: z.string(), name: z.string().nullable(), role, since: z.string() });
export type Member = z.infer<typeof member>;
export const memberList = z.object({ data: z.array(member), nextCursor: z.null() });
