import { parseJson } from "#lib/platform/payload";
import { isEqual } from "../challenges.ts";
import type { Scheme } from "../scheme.ts";
import { snsConfirmation, snsScheme } from "./sns.ts";
import { hmac, type Template } from "./template.ts";

/** Slack's form of a signature, which Zoom has too. */
const v0 = (sender: "slack" | "zm") =>
  hmac(
    {
      header: `x-${sender}-signature`,
      prefix: "v0=",
      content: "v0:{timestamp}:{body}",
      timestampHeader: `x-${sender}-request-timestamp`,
      toleranceSeconds: 300,
    },
    { idIsSigned: true, pastOnly: true },
  );

/** Senders that send a challenge before they send events. */
export const ASKING: Record<"slack" | "zoom" | "meta" | "x" | "microsoft-graph" | "dropbox" | "sns", Template> = {
  slack: {
    title: "Slack",
    scheme: v0("slack"),
    reading: {
      id: ["event_id"],
      type: ["event.type", "type", "command"],
      created: ["event_time"],
      data: "event",
      about: [
        "{event.user} in {event.channel}",
        "{event.user} in {event.item.channel}",
        "{user_name} in {channel_name}: {command} {text}",
        "{user_name} in {channel_name}: {command}",
        "{user.username} in {channel.name}",
        "{event.channel.name}",
        "{event.channel}",
        "{event.user}",
      ],
    },
    records: "none",
    challenges: [
      // docs.slack.dev/reference/events/url_verification
      {
        asked: "signed",
        when: [{ place: "type", equals: "url_verification" }],
        take: "challenge",
        maxLength: 512,
        answer: { text: "{value}" },
      },
    ],
    issuesSecret: true,
    secretHint: "Your app > Basic Information > App Credentials > Signing Secret.",
    retries: "3 tries: at once, after 1 minute and after 5 minutes.",
    retryHours: 0.1,
    docsUrl: "https://docs.slack.dev/authentication/verifying-requests-from-slack",
  },
  zoom: {
    title: "Zoom",
    // Its ID is the body's digest, and the body is signed.
    scheme: v0("zm"),
    reading: {
      type: ["event"],
      created: ["event_ts"],
      data: "payload",
      about: ["{payload.object.topic}", "{payload.object.email}", "{payload.object.id}"],
    },
    records: "none",
    challenges: [
      // developers.zoom.us/docs/api/webhooks/
      {
        asked: "signed",
        when: [{ place: "event", equals: "endpoint.url_validation" }],
        take: "payload.plainToken",
        maxLength: 512,
        hmac: { algorithm: "sha256", encoding: "hex" },
        answer: { json: { plainToken: "{value}", encryptedToken: "{hmac}" } },
      },
    ],
    issuesSecret: true,
    secretHint: "Your app > Features > Access > Secret Token.",
    docsUrl: "https://developers.zoom.us/docs/api/webhooks/",
  },
  meta: {
    title: "Meta (Facebook, Instagram, WhatsApp)",
    scheme: hmac({ header: "x-hub-signature-256", prefix: "sha256=" }, { idIsSigned: true }),
    reading: { type: ["{object}.{entry.0.changes.0.field}", "object"], created: ["entry.0.time"], about: ["{object} {entry.0.id}"] },
    records: "none",
    challenges: [
      // developers.facebook.com/docs/graph-api/webhooks/getting-started
      {
        asked: "get",
        when: [{ place: "query:hub.mode", equals: "subscribe" }],
        verifyToken: "query:hub.verify_token",
        take: "query:hub.challenge",
        maxLength: 512,
        answer: { text: "{value}" },
      },
    ],
    issuesSecret: true,
    secretHint: "Your app > App settings > Basic > App secret.",
    retries: "Retries for 36 hours.",
    retryHours: 36,
    docsUrl: "https://developers.facebook.com/docs/graph-api/webhooks/getting-started",
  },
  x: {
    title: "X (Twitter)",
    scheme: hmac({ header: "x-twitter-webhooks-signature", prefix: "sha256=", encoding: "base64" }, { idIsSigned: true }),
    reading: { type: ["data.event_type", "text:account_activity"], about: ["user {for_user_id}", "user {data.filter.user_id}"] },
    records: "none",
    challenges: [
      // docs.x.com/x-api/webhooks/quickstart
      {
        asked: "get",
        take: "query:crc_token",
        maxLength: 512,
        hmac: { algorithm: "sha256", encoding: "base64" },
        answer: { json: { response_token: "sha256={hmac}" } },
      },
    ],
    issuesSecret: true,
    secretHint: "Your app > Keys and tokens > API Key Secret (the consumer secret).",
    docsUrl: "https://docs.x.com/x-api/webhooks/quickstart",
  },
  "microsoft-graph": {
    title: "Microsoft Graph",
    scheme: () => graphScheme,
    reading: {
      items: "value",
      // Two notifications of one change may be identical, so each is an event of its own.
      id: ["id", "receipt:id"],
      type: ["changeType", "lifecycleEvent"],
      data: "resourceData",
      about: ["{resource}"],
    },
    records: "none",
    // learn.microsoft.com/graph/change-notifications-delivery-webhooks
    challenges: [{ asked: "post", take: "query:validationToken", maxLength: 512, answer: { text: "{value}" } }],
    secretHint: "Send it as clientState when you make the subscription.",
    retries: "Retries for up to 4 hours.",
    retryHours: 4,
    docsUrl: "https://learn.microsoft.com/graph/change-notifications-delivery-webhooks",
  },
  dropbox: {
    title: "Dropbox",
    scheme: hmac({ header: "x-dropbox-signature" }, { idIsSigned: false }),
    // All of them say the same: something in an account has changed.
    reading: { id: ["receipt:id"], type: ["text:files.changed"], about: ["{list_folder.accounts.0}"] },
    records: "none",
    challenges: [{ asked: "get", take: "query:challenge", maxLength: 512, answer: { text: "{value}" } }],
    issuesSecret: true,
    secretHint: "Your app > Settings > App secret.",
    retries: "Retries, and disables a webhook that keeps failing.",
    docsUrl: "https://www.dropbox.com/developers/reference/webhooks",
  },
  sns: {
    title: "Amazon SNS",
    scheme: ({ sns }) => snsScheme(sns ?? { topics: [] }),
    takes: "sns",
    reading: { id: ["MessageId"], type: ["TopicArn"], created: ["Timestamp"], about: ["{Subject}"] },
    records: "none",
    confirmation: snsConfirmation,
    secretHint: "No secret: Amazon's certificate is fetched when the first message arrives.",
    retries: "50 tries within about an hour, unless the topic's delivery policy says otherwise.",
    retryHours: 1,
    docsUrl: "https://docs.aws.amazon.com/sns/latest/dg/sns-http-https-endpoint-as-subscriber.html",
  },
};

const MAX_NOTIFICATIONS = 1000;

/**
 * Every notification holds its subscription's `clientState`, all of which must be this source's; nothing is signed.
 * https://learn.microsoft.com/graph/change-notifications-delivery-webhooks
 */
const graphScheme: Scheme = {
  trust: "token",
  headers: [],
  provenBy: "a clientState in each notification",
  secretInBody: true,
  costly: true,
  needsSecret: true,
  verify({ body }, secrets) {
    const states = statesIn(body);
    if (states === null) return { outcome: "signature_malformed" };
    if (states.length === 0 || states.includes(undefined)) return { outcome: "signature_missing" };
    const found = states.map((state) => secrets.findIndex(({ value }) => isEqual(String(state), value)));
    const match = found.includes(-1) ? undefined : secrets[Math.min(...found)];
    return match ? { outcome: "verified", form: "token", secretId: match.id } : { outcome: "signature_mismatch" };
  },
  sign: () => ({}),
};

function statesIn(body: Uint8Array): (string | undefined)[] | null {
  const json = parseJson(body);
  const value = json.ok && typeof json.value === "object" && json.value !== null ? Reflect.get(json.value, "value") : undefined;
  if (!Array.isArray(value) || value.length > MAX_NOTIFICATIONS) return null;
  return value.map((each: unknown) => {
    const state = typeof each === "object" && each !== null ? Reflect.get(each, "clientState") : undefined;
    return typeof state === "string" ? state : undefined;
  });
}
