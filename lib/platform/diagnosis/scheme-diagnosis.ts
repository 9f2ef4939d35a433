import { type KnownTemplate, SOURCE_TEMPLATES, type SourceTemplateName } from "#lib/contracts/sources/templates";
import { MASKED, maskedProof } from "../schemes/kept-request.ts";
import { proofOf, type Scheme, type SchemeRequest } from "../schemes/scheme.ts";
import { TEMPLATES } from "../schemes/templates.ts";
import type { Verification } from "../signature.ts";
import { bodyVariants } from "./body-variants.ts";
import type { KnownSecret, UnverifiedDiagnosis } from "./diagnosis.ts";
import * as say from "./labels.ts";
import * as sayOther from "./scheme-labels.ts";
import { trimmedSecrets } from "./secret-variants.ts";
import { urlVariants } from "./url-variants.ts";

export type UnverifiedSchemeRequest = {
  request: SchemeRequest;
  cut: boolean;
  template: SourceTemplateName;
  scheme: Scheme;
  secrets: readonly KnownSecret[];
  /** Milliseconds since 1970: the request's time is compared with this. */
  receivedAt: number;
};

/** Returns the first cause that holds, of a fixed list. Explains, never accepts: only `verifies` is the receiver's own verdict. */
export function diagnoseScheme(unverified: UnverifiedSchemeRequest): UnverifiedDiagnosis {
  const { request, cut, template, scheme, secrets, receivedAt } = unverified;
  const { title } = TEMPLATES[template];
  const check = (known: readonly KnownSecret[], changed: Partial<SchemeRequest> = {}) =>
    scheme.verify(
      { ...request, ...changed },
      known.map(({ id, value }) => ({ id, value })),
      receivedAt,
    );
  if (scheme.secretHeader !== undefined && request.headers[scheme.secretHeader] === MASKED)
    return sayOther.tokenWrong(title, scheme.secretHeader);
  const masked = maskedProof(scheme, request.headers);
  if (masked !== null) return sayOther.proofMasked(masked);
  const valid = secrets.filter(({ state }) => state === "valid");
  const now = check(valid);
  const explained = now.outcome === "verified" ? null : (scheme.explain?.(request) ?? null);
  if (explained !== null) return { code: "no_match", ...explained, evidence: [] };
  if (now.outcome === "certificate_unknown") return sayOther.certificateUnknown(now.url);
  if (now.outcome === "signature_missing")
    return sayOther.missing(title, { headers: scheme.headers, proof: proofOf(scheme) }, titleOf(senderByHeaders(request, template)));
  if (now.outcome === "signature_repeated") return sayOther.repeated(title, proofOf(scheme));
  if (now.outcome === "signature_malformed") return sayOther.malformed(title, proofOf(scheme));
  if (now.outcome === "network_unknown") return sayOther.networkUnknown(request.remoteAddress);
  if (now.outcome === "signature_mismatch" && scheme.secretInBody && Buffer.from(request.body).includes(JSON.stringify(MASKED)))
    return sayOther.tokenWrong(title, proofOf(scheme));
  if (cut) return say.bodyCut();
  if (now.outcome === "verified") return say.verifies("raw", now.secretId);
  if (now.outcome === "signature_expired") return sayOther.expired(title, now.secretId);
  return (
    byOtherSecret(secrets, check) ??
    bySecretVariant(valid, check) ??
    byUrl(valid, request, check) ??
    byBody(valid, request, check) ??
    sayOther.noMatch(title, TEMPLATES[template].secretHint)
  );
}

type Check = (known: readonly KnownSecret[], changed?: Partial<SchemeRequest>) => Verification;

/** True also for an expired signature: it was made with that secret, too. */
const isRight = ({ outcome }: Verification) => outcome === "verified" || outcome === "signature_expired";

function byOtherSecret(secrets: readonly KnownSecret[], check: Check): UnverifiedDiagnosis | null {
  const retired = secrets.find((secret) => secret.state === "retired" && isRight(check([secret])));
  if (retired) return say.secretRetired(retired);
  const foreign = secrets.find((secret) => secret.state === "another_source" && isRight(check([secret])));
  return foreign ? say.secretOfAnotherSource(foreign) : null;
}

function bySecretVariant(secrets: readonly KnownSecret[], check: Check): UnverifiedDiagnosis | null {
  for (const secret of secrets)
    for (const variant of trimmedSecrets(secret.value))
      if (variant.key !== secret.value && isRight(check([{ ...secret, value: String(variant.key) }])))
        return say.secretTrimmed(secret, variant);
  return null;
}

function byUrl(secrets: readonly KnownSecret[], { url }: SchemeRequest, check: Check): UnverifiedDiagnosis | null {
  const signed = urlVariants(url).find((variant) => isRight(check(secrets, { url: variant })));
  return signed === undefined ? null : sayOther.urlChanged(signed, url);
}

function byBody(secrets: readonly KnownSecret[], { body }: SchemeRequest, check: Check): UnverifiedDiagnosis | null {
  if (body.length === 0) return say.bodyEmpty();
  for (const variant of bodyVariants(Buffer.from(body)))
    for (const secret of secrets) if (isRight(check([secret], { body: variant.body }))) return say.bodyChanged(variant.words, secret);
  return null;
}

const titleOf = (template: SourceTemplateName | null) => template && TEMPLATES[template].title;

export function senderByHeaders({ headers }: SchemeRequest, template: SourceTemplateName): KnownTemplate | null {
  const found = SOURCE_TEMPLATES.find((name) => {
    const { takes, scheme } = TEMPLATES[name];
    if (name === template || takes !== undefined) return false;
    const [header] = scheme({}).headers;
    return header !== undefined && header !== "authorization" && headers[header] !== undefined;
  });
  return found ?? null;
}
