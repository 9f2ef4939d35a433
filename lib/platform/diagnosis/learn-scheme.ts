import type { SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import { type KnownTemplate, SOURCE_TEMPLATES } from "#lib/contracts/sources/templates";
import { NO_MAPPING } from "../field-names.ts";
import { readEvents } from "../reading/read-event.ts";
import { keptQuery, MASKED } from "../schemes/kept-request.ts";
import { ownHeaders } from "../schemes/passed-headers.ts";
import type { SchemeRequest } from "../schemes/scheme.ts";
import { TEMPLATES } from "../schemes/templates.ts";
import { guessHmac } from "./guess-hmac.ts";
import { diagnoseScheme, senderByHeaders } from "./scheme-diagnosis.ts";

export type UnknownRequest = { request: SchemeRequest & { headers: Record<string, string> }; cut: boolean; receivedAt: number };

export type Fit = { template: KnownTemplate; scheme: Omit<SchemeSettings, "unknown"> };

/** Returns the senders whose scheme verifies a request with the secret, the most similar first: several sign alike. */
export function fitsOf({ request, cut, receivedAt }: UnknownRequest, secret: string): Fit[] {
  if (cut) return [];
  const secrets = [{ id: "given", value: secret }];
  const known = SOURCE_TEMPLATES.filter((name) => {
    const { takes, scheme } = TEMPLATES[name];
    if (takes !== undefined) return false;
    const { outcome } = scheme({}).verify(request, secrets, receivedAt);
    return outcome === "verified" || outcome === "signature_expired";
  });
  const fits = known
    .map((template) => ({ template, likeness: likenessOf(request, template, receivedAt) }))
    .sort((one, other) => other.likeness - one.likeness)
    .map(({ template }): Fit => ({ template, scheme: {} }));
  const guessed = fits.length === 0 ? guessHmac(request, secret, receivedAt) : null;
  return guessed === null ? fits : [{ template: "hmac", scheme: { hmac: guessed } }];
}

function likenessOf({ body, headers }: UnknownRequest["request"], template: KnownTemplate, receivedAt: number): number {
  const reading = { records: "none" as const, record: null, mapping: NO_MAPPING, event: TEMPLATES[template].reading };
  const read = readEvents({ body, headers, query: keptQuery(headers), receivedAt: new Date(receivedAt) }, reading);
  const own = Object.keys(ownHeaders(headers, { template, scheme: {}, reading: null })).length;
  return (read.outcome === "events" ? 100 : 0) + own;
}

export function whyNothingFits({ request, cut, receivedAt }: UnknownRequest, secret: string): { verdict: string; fix: string } {
  if (request.headers["x-amz-sns-message-type"] !== undefined)
    return { verdict: "It is an Amazon SNS message.", fix: "Add a source for Amazon SNS with its topics. It needs no secret." };
  const template = senderByHeaders(request, "unknown");
  if (template !== null) {
    const { title, scheme } = TEMPLATES[template];
    const known = { id: "the secret you entered", value: secret, state: "valid" as const, source: "", endedAt: null };
    const { verdict, fix } = diagnoseScheme({ request, cut, template, scheme: scheme({}), secrets: [known], receivedAt });
    return { verdict: `It looks like a request from ${title}. ${verdict}`, fix };
  }
  const masked = Object.keys(request.headers).filter((name) => request.headers[name] === MASKED);
  if (masked.length > 0)
    return {
      verdict: `It contains a secret in ${masked.join(", ")}, which Signalbox does not store.`,
      fix: "If the sender authenticates this way, add a source for a token in a header, or for a user name and password.",
    };
  return {
    verdict: "No known signature fits.",
    fix: "Check that this is the whole secret. If it is, describe the signature: Add source > Another signature (HMAC).",
  };
}
