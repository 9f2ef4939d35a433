import { invalidField } from "#lib/contracts/api/app-error";
import type { SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import { SENDER_ISSUES, type SourceTemplateName } from "#lib/contracts/sources/templates";
import { publicKey } from "#lib/platform/schemes/senders/standard-webhooks";
import { schemeOf, TEMPLATES } from "#lib/platform/schemes/templates";
import { newToken } from "#lib/vault/opaque-token";

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
