import { type ChallengeSettings, challengeSettings, type EventAnswer } from "#lib/contracts/sources/challenge-settings";
import { hmacSettings, jwtSettings, type SchemeSettings, tokenSettings } from "#lib/contracts/sources/scheme-settings";
import type { SourceTemplateName } from "#lib/contracts/sources/templates";
import { decodeBody } from "../content-coding.ts";
import { parseJson } from "../payload.ts";
import * as SENDERS from "../senders/registry.ts";
import { SIGNATURE_HEADER, signBody, verifySignature } from "../signature.ts";
import { signsTexts } from "./challenges.ts";
import { formAt, hmacScheme } from "./hmac.ts";
import { jwtScheme } from "./jwt.ts";
import type { Scheme } from "./scheme.ts";
import { ASKING } from "./senders/asking.ts";
import { sharedKeyScheme, standardWebhooksScheme } from "./senders/standard-webhooks.ts";
import { basic, hmac, type Template } from "./senders/template.ts";
import { twilioScheme } from "./senders/twilio.ts";
import { networkScheme, tokenScheme, unknownScheme } from "./unsigned-schemes.ts";

const SVIX = sharedKeyScheme("svix");
const GITLAB = sharedKeyScheme("webhook");
/** A merge request is the one with a branch of its own; a comment has what it is about beside it. */
const GITLAB_ABOUT = [
  "{project.path_with_namespace} !{object_attributes.iid} {object_attributes.title} ({object_attributes.source_branch})",
  "{project.path_with_namespace} #{object_attributes.iid} {object_attributes.title}",
  "{project.path_with_namespace} !{merge_request.iid} {merge_request.title}",
  "{project.path_with_namespace} #{issue.iid} {issue.title}",
  "{project.path_with_namespace} {object_attributes.ref}",
  "{project.path_with_namespace} {ref}",
  "{project.path_with_namespace}",
];

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${Lowercase<First>}${Rest extends Uncapitalize<Rest> ? "" : "-"}${Kebab<Rest>}`
  : Name;
type SenderName = Kebab<keyof typeof SENDERS>;

/** Senders described as data, by the names of their files. */
const KNOWN = Object.fromEntries(
  Object.entries(SENDERS).map(([name, template]: [string, Template]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    { proof: "documentation", facts: template.docsUrl === null ? [] : [template.docsUrl], ...template },
  ]),
) as Record<SenderName, Template>;

/** Each checked against the sender's own documentation or library. A new sender is an entry here. */
const DESCRIBED: Record<SourceTemplateName, Template> = {
  platform: {
    title: "Document platform",
    scheme: () => platformScheme,
    reading: null,
    records: "platform",
    secretHint: "Generate a secret here and enter it on the platform, or paste the one that the platform issued.",
    docsUrl: null,
  },
  "standard-webhooks": {
    title: "Standard Webhooks",
    scheme: () => standardWebhooksScheme,
    reading: {
      id: ["header:webhook-id"],
      type: ["type"],
      created: ["timestamp", "header:webhook-timestamp"],
      data: "data",
      about: ["{data.id}"],
    },
    records: "none",
    issuesSecret: "usually",
    secretHint: "The endpoint's signing secret (whsec_…), or the sender's public key (whpk_…).",
    retries: "The specification recommends 10 tries within 75 hours.",
    retryHours: 75,
    docsUrl: "https://www.standardwebhooks.com",
  },
  svix: {
    title: "Svix",
    scheme: () => SVIX,
    reading: {
      id: ["header:svix-id"],
      type: ["type", "eventType"],
      created: ["timestamp", "header:svix-timestamp"],
      data: "data",
      about: ["{data.id}"],
    },
    records: "none",
    issuesSecret: "usually",
    secretHint: "The endpoint's signing secret. It begins with whsec_.",
    retries: "8 tries within about 28 hours.",
    retryHours: 28,
    docsUrl: "https://docs.svix.com/receiving/verifying-payloads/how",
  },
  stripe: {
    title: "Stripe",
    scheme: hmac(
      {
        header: "stripe-signature",
        format: "pairs",
        part: "v1",
        timestampPart: "t",
        content: "{timestamp}.{body}",
        toleranceSeconds: 300,
      },
      { idIsSigned: true, pastOnly: true },
    ),
    reading: {
      id: ["id"],
      type: ["type"],
      created: ["created"],
      data: "data",
      about: [
        "{data.object.object} {data.object.number} · {data.object.id}",
        "{data.object.object} {data.object.id}",
        "{related_object.type} {related_object.id}",
      ],
    },
    variant: "object.object",
    records: "none",
    issuesSecret: true,
    secretHint: "Workbench > Webhooks > your endpoint > Signing secret. It begins with whsec_.",
    retries: "Retries for up to 3 days.",
    retryHours: 72,
    docsUrl: "https://docs.stripe.com/webhooks",
  },
  github: {
    title: "GitHub",
    scheme: hmac({ header: "x-hub-signature-256", prefix: "sha256=" }, { idIsSigned: false }),
    reading: {
      id: ["header:x-github-delivery"],
      type: ["{header:x-github-event}.{action}", "header:x-github-event"],
      about: [
        "{repository.full_name} #{pull_request.number} {pull_request.title}",
        "{repository.full_name} #{issue.number} {issue.title}",
        "{repository.full_name} #{discussion.number} {discussion.title}",
        "{repository.full_name} {release.tag_name}",
        "{repository.full_name} {workflow_run.name} #{workflow_run.run_number}",
        "{repository.full_name} {workflow_job.workflow_name}: {workflow_job.name}",
        "{repository.full_name} {check_run.name}",
        "{repository.full_name} {ref}: {head_commit.message}",
        "{repository.full_name} {ref}",
        "{repository.full_name}",
        "{organization.login}",
      ],
    },
    records: "none",
    secretHint: "Settings > Webhooks > your webhook > Secret. Choose application/json as the content type.",
    retries: "GitHub doesn't retry. Redeliver failed requests at GitHub.",
    retryHours: 0,
    docsUrl: "https://docs.github.com/en/webhooks",
  },
  gitlab: {
    title: "GitLab (signing token)",
    scheme: () => GITLAB,
    reading: { id: ["header:webhook-id"], type: ["header:x-gitlab-event"], created: ["header:webhook-timestamp"], about: GITLAB_ABOUT },
    records: "none",
    issuesSecret: true,
    secretHint: "Settings > Webhooks > Signing token. It begins with whsec_.",
    retries: "Disables a webhook that fails repeatedly.",
    docsUrl: "https://docs.gitlab.com/user/project/integrations/webhooks/",
  },
  "gitlab-token": {
    title: "GitLab (secret token)",
    scheme: () => tokenScheme({ header: "x-gitlab-token", prefix: "" }),
    reading: { id: ["header:idempotency-key", "header:x-gitlab-event-uuid"], type: ["header:x-gitlab-event"], about: GITLAB_ABOUT },
    records: "none",
    secretHint: "Settings > Webhooks > Secret token.",
    retries: "Disables a webhook that fails repeatedly.",
    docsUrl: "https://docs.gitlab.com/user/project/integrations/webhooks/",
  },
  shopify: {
    title: "Shopify",
    scheme: () => shopifyScheme,
    reading: {
      id: ["header:x-shopify-event-id", "header:x-shopify-webhook-id", "header:shopify-webhook-id"],
      type: ["header:x-shopify-topic", "{header:shopify-topic}.{header:shopify-action}", "header:shopify-topic"],
      created: ["header:x-shopify-triggered-at", "header:shopify-triggered-at"],
      about: ["{name}", "{title}", "{first_name} {last_name}", "{email}"],
    },
    records: "none",
    alsoSends: ["x-shopify-shop-domain", "x-shopify-api-version", "shopify-shop-domain", "shopify-api-version", "shopify-handle"],
    issuesSecret: true,
    secretHint: "The client secret of your app, in the Dev Dashboard.",
    retries: "8 tries within 4 hours.",
    retryHours: 4,
    docsUrl: "https://shopify.dev/docs/apps/build/webhooks",
  },
  linear: {
    title: "Linear",
    scheme: () => linearScheme,
    reading: {
      id: ["header:linear-delivery"],
      type: ["{header:linear-event}.{action}", "header:linear-event"],
      created: ["createdAt"],
      data: "data",
      about: [
        "{data.identifier} {data.title}",
        "{data.team.key}-{data.number} {data.title}",
        "{data.issue.identifier} {data.issue.title}",
        "{data.issue.title}",
        "{data.title}",
        "{data.name}",
      ],
    },
    records: "none",
    issuesSecret: true,
    secretHint: "Settings > API > your webhook > Signing secret.",
    retries: "3 tries: after 1 minute, 1 hour and 6 hours.",
    retryHours: 7,
    docsUrl: "https://linear.app/developers/webhooks",
  },
  twilio: {
    title: "Twilio",
    scheme: () => twilioScheme,
    reading: {
      // A message's ID is the same in each of its status callbacks.
      id: ["{MessageSid}.{MessageStatus}", "{CallSid}.{CallStatus}", "MessageSid", "CallSid"],
      type: ["MessageStatus", "SmsStatus", "CallStatus", "EventType"],
      about: ["{From} to {To}"],
    },
    records: "none",
    issuesSecret: true,
    secretHint: "The auth token of the account, in the Console.",
    docsUrl: "https://www.twilio.com/docs/usage/webhooks/webhooks-security",
  },
  square: {
    title: "Square",
    scheme: hmac({ header: "x-square-hmacsha256-signature", encoding: "base64", content: "{url}{body}" }, { idIsSigned: true }),
    reading: {
      id: ["event_id"],
      type: ["type"],
      created: ["created_at"],
      data: "data",
      about: ["invoice {data.object.invoice.invoice_number} · {data.id}", "{data.type} {data.id}"],
    },
    records: "none",
    issuesSecret: true,
    secretHint: "Developer Console > Webhooks > your subscription > Signature key.",
    retries: "Retries for 24 to 72 hours.",
    retryHours: 72,
    docsUrl: "https://developer.squareup.com/docs/webhooks/overview",
  },
  ...ASKING,
  ...KNOWN,
  hmac: {
    title: "Another signature (HMAC)",
    scheme: ({ hmac: settings }) => hmacScheme(hmacSettings.parse(settings), { idIsSigned: false }),
    takes: "hmac",
    reading: { id: ["id"], type: ["type", "event"], created: ["created", "timestamp"] },
    records: "none",
    issuesSecret: "usually",
    secretHint: "The secret that the sender signs with.",
    docsUrl: null,
  },
  jwt: {
    title: "A signed token (JWT)",
    scheme: ({ jwt: settings }) => jwtScheme(jwtSettings.parse(settings)),
    takes: "jwt",
    reading: { id: ["id", "event_id", "jti"], type: ["type", "event"], created: ["created", "timestamp", "iat"] },
    records: "none",
    issuesSecret: "usually",
    secretHint: "The key that the token is signed with: a shared secret, or the sender's public key (PEM or JWK).",
    docsUrl: null,
  },
  token: {
    title: "A token in a header",
    scheme: ({ token }) => tokenScheme(tokenSettings.parse(token ?? { header: "authorization", prefix: "Bearer " })),
    takes: "token",
    reading: { id: ["id"], type: ["type", "event"], created: ["created", "timestamp"] },
    records: "none",
    secretHint: "The token that the sender sends in the header.",
    docsUrl: null,
  },
  basic: {
    title: "User name and password",
    ...basic,
    reading: { id: ["id"], type: ["type", "event"], created: ["created", "timestamp"] },
    records: "none",
    issuesSecret: true,
    secretHint: "user:password, as the sender sends them with Basic authentication.",
    docsUrl: null,
  },
  network: {
    title: "No signature, known networks",
    scheme: ({ network }) => networkScheme(network ?? { networks: [] }),
    takes: "network",
    reading: { id: ["id"], type: ["type", "event"], created: ["created", "timestamp"] },
    records: "none",
    secretHint: "No secret: anything sent from these networks is accepted.",
    docsUrl: null,
  },
  unknown: {
    title: "Unknown sender",
    scheme: unknownScheme,
    takes: "unknown",
    reading: { id: ["id"], type: ["type", "event"], created: ["created", "timestamp"] },
    records: "none",
    secretHint: "You enter the secret once a request has arrived.",
    docsUrl: null,
  },
};

const NOT_SAID = "Not documented by the sender.";

export const TEMPLATES = Object.fromEntries(
  Object.entries(DESCRIBED).map(([name, template]) => [name, { retries: NOT_SAID, ...template }]),
) as Record<SourceTemplateName, Template & { retries: string }>;

/** Throws ZodError for settings that were not checked when they were saved. */
export function schemeOf(template: SourceTemplateName, settings: SchemeSettings): Scheme {
  const scheme = TEMPLATES[template].scheme(settings);
  return overCodings(signsTexts(challengesOf(template, settings)) ? onlyObjects(scheme) : scheme);
}

export const isBasic = (template: SourceTemplateName): boolean => TEMPLATES[template].scheme === basic.scheme;

const OF_TEMPLATES = new Map<SourceTemplateName, readonly ChallengeSettings[]>();

/** Returns what a source's sender asks: its own settings, else its template's. */
export function challengesOf(
  template: SourceTemplateName,
  { challenges }: Pick<SchemeSettings, "challenges">,
): readonly ChallengeSettings[] {
  if (challenges !== undefined) return challenges;
  const known = OF_TEMPLATES.get(template) ?? (TEMPLATES[template].challenges ?? []).map((each) => challengeSettings.parse(each));
  OF_TEMPLATES.set(template, known);
  return known;
}

export const answerOf = (template: SourceTemplateName, { answer }: Pick<SchemeSettings, "answer">): EventAnswer | undefined =>
  answer ?? TEMPLATES[template].answer;

const [BRACE, BRACKET] = [0x7b, 0x5b];

/** The sender has texts signed with the same key, some for anyone who asks: only bodies that can't be asked for are taken. */
const onlyObjects = (scheme: Scheme): Scheme => ({
  ...scheme,
  verify: (request, secrets, now) =>
    request.body[0] === BRACE || request.body[0] === BRACKET ? scheme.verify(request, secrets, now) : { outcome: "signature_mismatch" },
});

const MAX_DECODED_BYTES = 1_048_576;

/** Verifies a compressed body as it was sent, then decoded: senders sign either. */
const overCodings = (scheme: Scheme): Scheme => ({
  ...scheme,
  verify(request, secrets, now) {
    const asSent = scheme.verify(request, secrets, now);
    const decoded = decodeBody(request.body, request.headers["content-encoding"], request.maxBytes ?? MAX_DECODED_BYTES);
    if (decoded === null) return asSent;
    if (!decoded.ok) return { ...asSent, undecoded: decoded.why };
    if (asSent.outcome === "verified") return { ...asSent, signed: decoded.body };
    if (asSent.outcome === "signature_expired") return asSent;
    const read = scheme.verify({ ...request, body: decoded.body }, secrets, now);
    return read.outcome === "verified" ? { signed: decoded.body, ...read } : read;
  },
});

/** The document platform's own signature (docs/platform.md, "Webhook signature"). */
export const platformScheme: Scheme = {
  trust: "signed",
  headers: [SIGNATURE_HEADER],
  needsSecret: true,
  verify: ({ body, headers }, secrets) => verifySignature(body, headers[SIGNATURE_HEADER], secrets),
  sign: ({ body, secret }) => ({ [SIGNATURE_HEADER]: signBody(body, secret) }),
};

const TOLERANCE_SECONDS = 60;
const SIGNATURE = hmacScheme(hmacSettings.parse({ header: "linear-signature" }), { idIsSigned: false });

/** The signed body holds the time (`webhookTimestamp`, ms), a minute both ways. The ID is not signed: a late request could be a replay. */
const linearScheme: Scheme = {
  ...SIGNATURE,
  verify(request, secrets, now) {
    const signed = SIGNATURE.verify(request, secrets, now);
    if (signed.outcome !== "verified") return signed;
    const json = parseJson(request.body);
    const at = json.ok && typeof json.value === "object" && json.value !== null ? Reflect.get(json.value, "webhookTimestamp") : undefined;
    if (typeof at !== "number") return signed;
    const form = formAt((now - at) / 1000, TOLERANCE_SECONDS, { idIsSigned: false });
    return form ? { ...signed, form } : { outcome: "signature_expired", secretId: signed.secretId };
  },
  renew: ({ body, url, now }) => ({ body: withTime(body, now.getTime()), url }),
};

const TIME_IN_TEXT = /"webhookTimestamp"\s*:\s*(\d+)/g;
/** People's text may contain the same key: more than this many are not Linear's. */
const MAX_TRIED = 8;

/** Returns the body with another `webhookTimestamp`, otherwise byte for byte as it was: Linear's SDK reads no other time. */
function withTime(body: Uint8Array, at: number): Uint8Array {
  const text = Buffer.from(body).toString();
  for (const { index, 0: found, 1: digits = "" } of [...text.matchAll(TIME_IN_TEXT)].slice(0, MAX_TRIED)) {
    const end = index + found.length;
    const changed = Buffer.from(`${text.slice(0, end - digits.length)}${at}${text.slice(end)}`);
    const json = parseJson(changed);
    if (json.ok && typeof json.value === "object" && json.value !== null && Reflect.get(json.value, "webhookTimestamp") === at)
      return changed;
  }
  return body;
}

const shopifyVariant = (prefix: "x-shopify" | "shopify") =>
  hmac({ header: `${prefix}-hmac-sha256`, encoding: "base64" }, { idIsSigned: false })();
const WEBHOOKS = shopifyVariant("x-shopify");
/** shopify.dev, "Verify Events deliveries": signed the same way, with other header names. */
const EVENTS = shopifyVariant("shopify");

type Headers = Record<string, string | string[] | undefined>;
/** Tells them apart as Shopify's library does. */
const oneOf = (headers: Headers) => (headers["shopify-hmac-sha256"] ? EVENTS : WEBHOOKS);

/** Shopify's webhooks, and Events, which will replace them. */
const shopifyScheme: Scheme = {
  ...WEBHOOKS,
  headers: [...WEBHOOKS.headers, ...EVENTS.headers],
  verify: (request, secrets, now) => oneOf(request.headers).verify(request, secrets, now),
  sign: (request) => oneOf(request.received ?? {}).sign(request),
};

/** Returns an event's title: the type of a known sender in words (`envelope-completed` -> "Envelope completed"), any other's as it is. */
export function titleOfSender(template: SourceTemplateName, type: string): string {
  if (TEMPLATES[template].facts === undefined) return type;
  const words = type
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s._:/-]+/)
    .filter(Boolean)
    .join(" ")
    .toLowerCase();
  return words === "" ? type : words.charAt(0).toUpperCase() + words.slice(1);
}
