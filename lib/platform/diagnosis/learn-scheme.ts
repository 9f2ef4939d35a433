import { type HmacSettings, hmacSettings, type SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import { type KnownTemplate, SOURCE_TEMPLATES } from "#lib/contracts/sources/templates";
import { NO_MAPPING } from "../field-names.ts";
import { readKept } from "../read-event.ts";
import { hmacScheme } from "../schemes/hmac.ts";
import type { SchemeRequest } from "../schemes/scheme.ts";
import { MASKED, ownHeaders } from "../schemes/sender-requests.ts";
import { schemeOf, TEMPLATES } from "../schemes/templates.ts";
import { diagnoseScheme, senderByHeaders } from "./scheme-diagnosis.ts";

export type UnknownRequest = { request: SchemeRequest & { headers: Record<string, string> }; cut: boolean; receivedAt: number };

/** `likeness` tells apart senders that sign alike; equal ones can't be told apart by this request. */
export type Fit = { template: KnownTemplate; scheme: Omit<SchemeSettings, "unknown">; likeness: number };

/** Returns the senders whose scheme verifies a request with the secret, the most similar first: several sign alike. */
export function fitsOf({ request, cut, receivedAt }: UnknownRequest, secret: string): Fit[] {
  if (cut) return [];
  const secrets = [{ id: "given", value: secret }];
  const known = SOURCE_TEMPLATES.filter((name) => {
    if (TEMPLATES[name].takes !== undefined) return false;
    const { outcome } = schemeOf(name, {}).verify(request, secrets, receivedAt);
    return outcome === "verified" || outcome === "signature_expired";
  });
  const fits = known
    .map((template): Fit => ({ template, scheme: {}, likeness: likenessOf(request, template, receivedAt) }))
    .sort((one, other) => other.likeness - one.likeness);
  const guessed = fits.length === 0 ? guessHmac(request, secret, receivedAt) : null;
  return guessed === null ? fits : [{ template: "hmac", scheme: { hmac: guessed }, likeness: 0 }];
}

/** Its events can be read; they have an ID of their own, a time; the headers of its own that they came with. */
const LIKE = { readable: 100, identified: 50, timed: 20, typed: 10 };

function likenessOf({ body, headers }: UnknownRequest["request"], template: KnownTemplate, receivedAt: number): number {
  const reading = { records: "none" as const, record: null, mapping: NO_MAPPING, event: TEMPLATES[template].reading };
  const read = readKept({ body, headers, receivedAt: new Date(receivedAt) }, reading);
  const own = Object.keys(ownHeaders(headers, { template, scheme: {}, reading: null })).length;
  const first = read.outcome === "events" ? read.events[0]?.envelope : undefined;
  if (first === undefined) return own;
  const isTyped = TEMPLATES[template].reading?.type.some((place) => place === `text:${first.type}`) === false;
  return (
    own +
    LIKE.readable +
    (/^(sha256:|\d{13}-[0-9a-f]{16})/.test(first.id) ? 0 : LIKE.identified) +
    (first.created === Math.floor(receivedAt / 1000) ? 0 : LIKE.timed) +
    (isTyped ? LIKE.typed : 0)
  );
}

/** Returns what a request leaves open: senders that sign it alike and that it is equally like; null if there is one. */
export function undecided(fits: readonly Fit[]): { verdict: string; fix: string } | null {
  const [first, ...others] = fits;
  const alike = others.filter(({ likeness }) => likeness === first?.likeness);
  if (first === undefined || alike.length === 0) return null;
  const titles = [first, ...alike].map(({ template }) => TEMPLATES[template].title);
  return {
    verdict: `${new Intl.ListFormat("en").format(titles)} sign alike, and this request could be from any of them.`,
    fix: "Choose the one that you added this source's URL at.",
  };
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

/** Bounds the candidates: a request may have any number of headers. */
const MAX_TRIED = 400;
const TOLERANCE_SECONDS = 300;
const ALGORITHMS = { 20: "sha1", 32: "sha256", 64: "sha512" } as const;
type TimestampForm = NonNullable<HmacSettings["timestampForm"]>;
const FORMS: readonly [TimestampForm, RegExp][] = [
  ["seconds", /^\d{10}$/],
  ["milliseconds", /^\d{13}$/],
  ["rfc3339", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/],
];
const formOf = (text: string): TimestampForm | undefined => FORMS.find(([, form]) => form.test(text))?.[0];

/** Where a digest stands, in a header or the query, and a time beside it. */
type Place = Partial<HmacSettings>;
type Time = Pick<Place, "timestampHeader" | "timestampPart"> & { timestampForm: TimestampForm };

/** Guesses how a custom signature is made with this secret; null if no usual way verifies. */
function guessHmac(request: SchemeRequest, secret: string, receivedAt: number): HmacSettings | null {
  let tried = 0;
  for (const settings of candidates(request, secret)) {
    tried += 1;
    if (tried > MAX_TRIED) return null;
    const { outcome } = hmacScheme(settings, { idIsSigned: false }).verify(request, [{ id: "given", value: secret }], receivedAt);
    if (outcome === "verified" || outcome === "signature_expired") return settings;
  }
  return null;
}

function* candidates({ headers, url }: SchemeRequest, secret: string): Generator<HmacSettings> {
  const single = Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : []));
  const times = single.flatMap(([timestampHeader, value]): Time[] => {
    const timestampForm = formOf(value);
    return timestampForm ? [{ timestampHeader, timestampForm }] : [];
  });
  const ids = single.filter(([name]) => /(^|-)id$/.test(name)).map(([name]) => name);
  const keys = /^((v1,)?whsec_)?[A-Za-z0-9+/_-]{16,}={0,2}$/.test(secret) ? (["text", "base64"] as const) : (["text"] as const);
  const inQuery = [...new URLSearchParams(url.split("?")[1] ?? "")].slice(0, MAX_PARAMETERS);
  const places: Found[] = [
    ...single.flatMap(([header, value]) => placesIn(value).map((place) => ({ header, ...place }))),
    ...inQuery.flatMap(([query, value]) => plainIn(value).map((place) => ({ query, ...place }))),
  ];
  for (const { time, ...place } of places)
    for (const key of keys)
      for (const content of contentsFor(time ? [time] : times, ids, time !== undefined)) {
        const read = hmacSettings.safeParse({ ...place, key, ...content });
        if (read.success) yield read.data;
      }
}

const MAX_PARAMETERS = 10;

type Found = Place & { time?: Time };

/** Finds a digest alone or after a prefix (`sha256=…`), or in a part of `t=…,v1=…` or `t=…;v1=…`. */
function placesIn(value: string): Found[] {
  const plain = plainIn(value);
  const separator = ([",", ";"] as const).find((each) => value.includes(each));
  if (plain.length > 0 || separator === undefined) return plain;
  const pairs = value.split(separator).map((pair) => pair.trim().split(/=(.*)/s));
  const [timestampPart, text = ""] = pairs.find(([, each = ""]) => formOf(each)) ?? [];
  const timestampForm = formOf(text);
  const time = timestampPart && timestampForm ? { time: { timestampPart, timestampForm } } : {};
  const written = { format: "pairs" as const, ...(separator === ";" && { separator }), ...time };
  return pairs.flatMap(([part = "", digest = ""]) => digestsIn(digest).map((form): Found => ({ ...written, part, ...form })));
}

function plainIn(value: string): Place[] {
  const [, prefix = "", rest = ""] = /^([A-Za-z0-9_-]{1,12}[=: ])?(.*)$/.exec(value) ?? [];
  return digestsIn(rest).map((digest) => ({ format: "plain" as const, prefix, ...digest }));
}

function digestsIn(text: string): Pick<HmacSettings, "algorithm" | "encoding">[] {
  const encoding = /^([0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i.test(text) ? "hex" : "base64";
  if (encoding === "base64" && !/^[A-Za-z0-9+/]{27,88}={0,2}$/.test(text)) return [];
  const algorithm = ALGORITHMS[Buffer.from(text, encoding).length as keyof typeof ALGORITHMS];
  return algorithm ? [{ algorithm, encoding }] : [];
}

const OF_THE_BODY: readonly Place[] = [
  ...["{body}", "{url}{body}", "{body}{url}"].map((content) => ({ content })),
  ...["{secret}{body}", "{body}{secret}"].map((content) => ({ content, method: "hash" as const })),
];
const APART = ["{timestamp}.{body}", "{timestamp}:{body}", "v0:{timestamp}:{body}"];
/** A time with a strict form needs no text beside it. */
const TOUCHING = ["{timestamp}{body}", "{body}{timestamp}", "{method}{url}{body}{timestamp}"];

/** `only`: the time stands with the signature, so it is signed. */
function contentsFor(times: readonly Time[], ids: readonly string[], only: boolean): Place[] {
  const timed = times.flatMap(({ timestampForm, ...time }) => {
    // Digits between texts are read in any unit.
    const form = timestampForm === "rfc3339" ? { timestampForm } : {};
    return [
      ...APART.map((content) => ({ ...time, ...form, content })),
      ...ids.map((idHeader) => ({ ...time, ...form, idHeader, content: "{id}.{timestamp}.{body}" })),
      ...TOUCHING.map((content) => ({ ...time, timestampForm, content })),
    ];
  });
  return [...(only ? [] : OF_THE_BODY), ...timed.map((each) => ({ ...each, toleranceSeconds: TOLERANCE_SECONDS }))];
}
