import { hmac, type Template } from "../schemes/senders/template.ts";

export const sendgrid: Template = {
  title: "Twilio SendGrid",
  scheme: hmac(
    {
      header: "x-twilio-email-event-webhook-signature",
      method: "ecdsa-p256",
      encoding: "base64",
      content: "{timestamp}{body}",
      timestampHeader: "x-twilio-email-event-webhook-timestamp",
      timestampForm: "seconds",
    },
    { idIsSigned: true },
  ),
  reading: { items: "$", id: ["sg_event_id"], type: ["event"], created: ["timestamp"] },
  records: "generic",
  record: {
    kind: "message",
    id: "sg_message_id",
    states: {
      processed: "processed",
      deferred: "deferred",
      delivered: "delivered",
      bounce: "bounced",
      dropped: "dropped",
      open: "opened",
      click: "clicked",
      spamreport: "complained",
      unsubscribe: "unsubscribed",
    },
    facts: { recipient: "email", reason: "reason" },
  },
  issuesSecret: true,
  secretHint: "Settings > Mail Settings > Event Webhook > Signature verification: the verification key, a public key in base64.",
  retries: "Retries for up to 24 hours, at growing intervals.",
  retryHours: 24,
  docsUrl: "https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features",
  proof: "bytes",
  facts: ["@sendgrid/eventwebhook (EventWebhook.verifySignature and its tests)"],
  unchecked: ["when it tries again"],
};
