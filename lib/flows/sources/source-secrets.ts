import type * as z from "zod/mini";
import type { Actor } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { AppError, invalidField } from "#lib/contracts/api/app-error";
import type { SourceId } from "#lib/contracts/api/ids";
import type { rotatedSecret, rotateSecretBody } from "#lib/contracts/auth/settings";
import type { SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import { SENDER_ISSUES, type SourceTemplateName } from "#lib/contracts/sources/templates";
import { publicKey } from "#lib/platform/schemes/senders/standard-webhooks";
import { schemeOf, TEMPLATES } from "#lib/platform/schemes/templates";
import { rotateSecret } from "#lib/sources/source-store";
import { newToken } from "#lib/vault/opaque-token";
import { readSource } from "./read-sources.ts";

/** Rotates a secret; the one before verifies on for the overlap. Only a generated one is returned.
 * @throws AppError `not_found`, `conflict`, `invalid_request` for a secret that the sender can't have */
export async function rotateSourceSecret(
  { workspaceId }: Actor,
  source: SourceId,
  { overlapHours, secret: given }: z.infer<typeof rotateSecretBody>,
  now: Date,
  audit: Audit,
): Promise<z.infer<typeof rotatedSecret>> {
  const made = secretFor(await readSource(workspaceId, source), given);
  if (made === null) throw new AppError("invalid_request", "This source has no secret that could be rotated.");
  const { id, name, previousId, previousValidUntil } = await rotateSecret(workspaceId, source, overlapHours, now, made);
  const endsAt = previousValidUntil.toISOString();
  await audit.record({
    action: "secret.rotated",
    target: { kind: "source", id: source, name },
    before: { active: previousId },
    after: { active: id, previousEndsAt: endsAt, given: given !== undefined },
  });
  return { id, secret: given === undefined ? made : null, previousValidUntil: endsAt };
}

type Sender = { template: SourceTemplateName; scheme: SchemeSettings };

const BASE64_KEYS: ReadonlySet<SourceTemplateName> = new Set(["standard-webhooks", "svix", "gitlab"]);

/** Returns the given secret, or a generated one; null for a sender without. @throws AppError `invalid_request` for an impossible one */
export function secretFor({ template, scheme }: Sender, given: string | undefined): string | null {
  if (!schemeOf(template, scheme).needsSecret) {
    if (given !== undefined) throw invalidField("secret", `the template ${template} has none.`);
    return null;
  }
  const inBase64 = BASE64_KEYS.has(template) || scheme.hmac?.key === "base64";
  if (given !== undefined) return checked(template, given, inBase64);
  const { title, secretHint } = TEMPLATES[template];
  if (SENDER_ISSUES.has(template)) throw invalidField("secret", `${title} issues it. ${secretHint}`);
  return inBase64 ? `whsec_${Buffer.from(newToken()).toString("base64")}` : newToken();
}

function checked(template: SourceTemplateName, secret: string, inBase64: boolean): string {
  if (template === "standard-webhooks" && secret.startsWith("whpk_")) {
    if (publicKey(secret) === null) throw invalidField("secret", "a public key must be whpk_ followed by 32 bytes in base64.");
    return secret;
  }
  if (inBase64 && !/^(whsec_)?[A-Za-z0-9+/]{16,}={0,2}$/.test(secret))
    throw invalidField("secret", "paste the whole secret. It begins with whsec_, or is base64 of at least 16 characters.");
  if (template === "basic" && !secret.includes(":")) throw invalidField("secret", "must be user:password.");
  return secret;
}
