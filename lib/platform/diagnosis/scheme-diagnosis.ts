import { type KnownTemplate, SOURCE_TEMPLATES, type SourceTemplateName } from "#lib/contracts/sources/templates";
import { proofOf, type Scheme, type SchemeRequest } from "../schemes/scheme.ts";
import { MASKED, maskedProof } from "../schemes/sender-requests.ts";
import { TEMPLATES } from "../schemes/templates.ts";
import type { Verification } from "../signature.ts";
import type { KnownSecret, UnverifiedDiagnosis } from "./diagnoses.ts";
import * as say from "./diagnoses.ts";
import { bodyVariants, trimmedSecrets, urlVariants } from "./variants.ts";

type UnverifiedSchemeRequest = {
  request: SchemeRequest;
  cut: boolean;
  template: SourceTemplateName;
  scheme: Scheme;
  secrets: readonly KnownSecret[];
  /** Milliseconds since 1970: the request's time is compared with this. */
  receivedAt: number;
  /** Which secrets were tried, in words; all of the workspace's unless given. */
  asked?: string;
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
  if (scheme.secretHeader !== undefined && request.headers[scheme.secretHeader] === MASKED) return tokenWrong(title, scheme.secretHeader);
  const masked = maskedProof(scheme, request.headers);
  if (masked !== null) return proofMasked(masked);
  const valid = secrets.filter(({ state }) => state === "valid");
  const now = check(valid);
  const explained = now.outcome === "verified" ? null : (scheme.explain?.(request) ?? null);
  if (explained !== null) return { code: "no_match", ...explained, evidence: [] };
  if (now.outcome === "certificate_unknown") return certificateUnknown(now.url);
  if (now.outcome === "signature_missing")
    return missing(title, { headers: scheme.headers, proof: proofOf(scheme) }, titleOf(senderByHeaders(request, template)));
  if (now.outcome === "signature_repeated") return repeated(title, proofOf(scheme));
  if (now.outcome === "signature_malformed") return malformed(title, proofOf(scheme));
  if (now.outcome === "network_unknown") return networkUnknown(request.remoteAddress);
  if (now.outcome === "signature_mismatch" && scheme.secretInBody && Buffer.from(request.body).includes(JSON.stringify(MASKED)))
    return tokenWrong(title, proofOf(scheme));
  if (cut) return say.bodyCut();
  if (now.outcome === "verified") return say.verifies("raw", now.secretId);
  if (now.outcome === "signature_expired") return expired(title, now.secretId);
  return (
    byOtherSecret(secrets, check) ??
    bySecretVariant(valid, check) ??
    byUrl(valid, request, check) ??
    byBody(valid, request, check) ??
    noMatch(title, TEMPLATES[template].secretHint, unverified.asked)
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
  return signed === undefined ? null : urlChanged(signed, url);
}

function byBody(secrets: readonly KnownSecret[], { body }: SchemeRequest, check: Check): UnverifiedDiagnosis | null {
  if (body.length === 0) return say.bodyEmpty();
  for (const variant of bodyVariants(Buffer.from(body)))
    for (const secret of secrets) if (isRight(check([secret], { body: variant.body }))) return say.bodyChanged(variant.words, secret);
  return null;
}

const titleOf = (template: SourceTemplateName | null) => template && TEMPLATES[template].title;

export function senderByHeaders({ headers }: SchemeRequest, template: SourceTemplateName): KnownTemplate | null {
  let [found, most]: [KnownTemplate | null, number] = [null, 0];
  for (const name of SOURCE_TEMPLATES) {
    const { takes, scheme, alsoSends = [] } = TEMPLATES[name];
    if (name === template || takes !== undefined) continue;
    const has = (header: string) => header !== "authorization" && headers[header] !== undefined;
    const proving = scheme({}).headers.filter(has).length;
    const alike = proving === 0 ? 0 : proving + alsoSends.filter(has).length;
    if (alike > most) [found, most] = [name, alike];
  }
  return found;
}

// Texts that differ from those of the platform's diagnoses.
type Looked = { headers: readonly string[]; proof: string };

const missing = (sender: string, { headers, proof }: Looked, other: string | null): UnverifiedDiagnosis =>
  other === null
    ? {
        code: "header_missing",
        verdict: "It has no signature.",
        fix: `If ${sender} sent it, check whether a proxy strips ${proof}. Otherwise it is probably a scanner; safe to ignore.`,
        evidence: [{ label: "Looked for", value: headers.join(", ") || proof }],
      }
    : {
        code: "other_sender",
        about: other,
        verdict: `It looks like a request from ${other}, but this source is for ${sender}.`,
        fix: `Send it to a source for ${other} (Settings > Sources and secrets > Add source).`,
        evidence: [{ label: "Looked for", value: headers.join(", ") || proof }],
      };

const repeated = (sender: string, proof: string): UnverifiedDiagnosis => ({
  code: "header_repeated",
  verdict: "It has more than one signature.",
  fix: `${sender} sends ${proof} once. Check whether a proxy adds its own.`,
  evidence: [],
});

const malformed = (sender: string, proof: string): UnverifiedDiagnosis => ({
  code: "malformed",
  verdict: `Its signature isn't in the format that ${sender} uses.`,
  fix: `Check that ${proof} reaches Signalbox as ${sender} sent it, and that this source is for the right sender.`,
  evidence: [{ label: "Looked for", value: proof }],
});

const tokenWrong = (sender: string, proof: string): UnverifiedDiagnosis => ({
  code: "no_match",
  verdict: "It contains a different secret from this source's.",
  fix: `Enter this source's secret at the sender (${sender}), then send it again. The secret that was sent is not stored, so this request can't be released.`,
  evidence: [{ label: "Looked for", value: proof }],
});

const proofMasked = (proof: string): UnverifiedDiagnosis => ({
  code: "no_match",
  about: proof.replace(/^header /, ""),
  verdict: `It can't be verified again: its ${proof} is not kept.`,
  fix: "It was masked when the request arrived: by an earlier version, or because the source's scheme didn't name it then. Or the vault key that it was sealed with was discarded. Have the sender send the request again.",
  evidence: [{ label: "Masked", value: proof.replace(/^header /, "") }],
});

const networkUnknown = (address: string | null): UnverifiedDiagnosis => ({
  code: "network_unknown",
  verdict: "It comes from a network that isn't listed in this source.",
  fix: "If the sender is yours, add its network to the source. Otherwise it is probably a scanner; safe to ignore.",
  evidence: address === null ? [] : [{ label: "Received from", value: address }],
});

const certificateUnknown = (url: string): UnverifiedDiagnosis => ({
  code: "no_match",
  verdict: "It is signed with a certificate that Signalbox doesn't have yet.",
  fix: "The receiver answered 503 and is fetching it. Once the sender sends the message again, it can be verified.",
  evidence: [{ label: "Looked for", value: url }],
});

const expired = (sender: string, secretId: string): UnverifiedDiagnosis => ({
  code: "clock",
  about: secretId,
  verdict: "Its signature is valid, but its timestamp was too far from the time of receipt.",
  fix: `Check the clocks of this machine and of ${sender}. If the request was delayed, send it again from ${sender}.`,
  evidence: [],
});

const urlChanged = (signed: string, ours: string): UnverifiedDiagnosis => ({
  code: "url_changed",
  about: signed.split("?")[0] ?? signed,
  verdict: "Signed for another URL.",
  fix: "Set WEBHOOK_URL (or APP_URL) to the URL that the sender posts to, or give the sender this source's URL as shown in Settings.",
  evidence: [
    { label: "Signed for", value: signed },
    { label: "Received at", value: ours },
  ],
});

const noMatch = (
  sender: string,
  secretHint: string,
  asked = "every secret of this workspace, including retired ones",
): UnverifiedDiagnosis => ({
  code: "no_match",
  verdict: "Its signature does not match the body.",
  fix: `Compare this source's secret with ${sender}'s: ${secretHint} If ${sender} did not send this, there is nothing to do.`,
  evidence: [{ label: "Checked against", value: `${asked}, and every known change to the body` }],
});
