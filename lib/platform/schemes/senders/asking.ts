import { dropboxChallenge, graphChallenge, metaChallenge, slackChallenge, xChallenge, zoomChallenge } from "./challenges.ts";
import { graphScheme } from "./graph.ts";
import { snsChallenge, snsScheme } from "./sns.ts";
import { hmac, NOT_SAID, type Template } from "./template.ts";
import { xScheme } from "./x.ts";

/** Senders that send a challenge before they send events. */
export const ASKING: Record<"slack" | "zoom" | "meta" | "x" | "microsoft-graph" | "dropbox" | "sns", Template> = {
  slack: {
    title: "Slack",
    scheme: hmac(
      {
        header: "x-slack-signature",
        prefix: "v0=",
        content: "v0:{timestamp}:{body}",
        timestampHeader: "x-slack-request-timestamp",
        toleranceSeconds: 300,
      },
      { idIsSigned: true, pastOnly: true },
    ),
    reading: { id: ["event_id"], type: ["event.type", "type"], created: ["event_time"], data: "event" },
    records: "none",
    challenge: slackChallenge,
    secretHint: "Your app > Basic Information > App Credentials > Signing Secret.",
    retries: "3 tries: at once, after 1 minute and after 5 minutes.",
    retryHours: 0.1,
    docsUrl: "https://docs.slack.dev/authentication/verifying-requests-from-slack",
  },
  zoom: {
    title: "Zoom",
    scheme: hmac(
      {
        header: "x-zm-signature",
        prefix: "v0=",
        content: "v0:{timestamp}:{body}",
        timestampHeader: "x-zm-request-timestamp",
        toleranceSeconds: 300,
      },
      // Its ID is the body's digest, and the body is signed.
      { idIsSigned: true, pastOnly: true },
    ),
    reading: { type: ["event"], created: ["event_ts"], data: "payload" },
    records: "none",
    challenge: zoomChallenge,
    secretHint: "Your app > Features > Access > Secret Token.",
    retries: NOT_SAID,
    docsUrl: "https://developers.zoom.us/docs/api/webhooks/",
  },
  meta: {
    title: "Meta (Facebook, Instagram, WhatsApp)",
    scheme: hmac({ header: "x-hub-signature-256", prefix: "sha256=" }, { idIsSigned: true }),
    reading: { type: ["{object}.{entry.0.changes.0.field}", "object"], created: ["entry.0.time"] },
    records: "none",
    challenge: metaChallenge,
    secretHint: "Your app > App settings > Basic > App secret.",
    retries: "Retries for 36 hours.",
    retryHours: 36,
    docsUrl: "https://developers.facebook.com/docs/graph-api/webhooks/getting-started",
  },
  x: {
    title: "X (Twitter)",
    scheme: () => xScheme,
    reading: { type: ["data.event_type", "text:account_activity"] },
    records: "none",
    challenge: xChallenge,
    secretHint: "Your app > Keys and tokens > API Key Secret (the consumer secret).",
    retries: NOT_SAID,
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
    },
    records: "none",
    challenge: graphChallenge,
    secretHint: "Send it as clientState when you make the subscription.",
    retries: "Retries for up to 4 hours.",
    retryHours: 4,
    docsUrl: "https://learn.microsoft.com/graph/change-notifications-delivery-webhooks",
  },
  dropbox: {
    title: "Dropbox",
    scheme: hmac({ header: "x-dropbox-signature" }, { idIsSigned: false }),
    // All of them say the same: something in an account has changed.
    reading: { id: ["receipt:id"], type: ["text:files.changed"] },
    records: "none",
    challenge: dropboxChallenge,
    secretHint: "Your app > Settings > App secret.",
    retries: "Retries, and disables a webhook that keeps failing.",
    docsUrl: "https://www.dropbox.com/developers/reference/webhooks",
  },
  sns: {
    title: "Amazon SNS",
    scheme: ({ sns }) => snsScheme(sns ?? { topics: [] }),
    takes: "sns",
    reading: { id: ["MessageId"], type: ["TopicArn"], created: ["Timestamp"] },
    records: "none",
    challenge: snsChallenge,
    secretHint: "No secret: Amazon's certificate is fetched when the first message arrives.",
    retries: "50 tries within about an hour, unless the topic's delivery policy says otherwise.",
    retryHours: 1,
    docsUrl: "https://docs.aws.amazon.com/sns/latest/dg/sns-http-https-endpoint-as-subscriber.html",
  },
};
