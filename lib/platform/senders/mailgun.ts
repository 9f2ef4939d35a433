import { hmac, type Template } from "../schemes/senders/template.ts";

export const mailgun: Template = {
  title: "Mailgun",
  // Of the time and a token, not of the event: the rest is not covered.
  scheme: hmac(
    {
      field: "signature.signature",
      timestampField: "signature.timestamp",
      timestampForm: "seconds",
      content: "{timestamp}{body:signature.token}",
    },
    { idIsSigned: false },
  ),
  reading: { id: ["event-data.id", "signature.token"], type: ["event-data.event"], created: ["event-data.timestamp"], data: "event-data" },
  records: "generic",
  record: {
    kind: "message",
    id: "message.headers.message-id",
    title: "message.headers.subject",
    states: {
      accepted: "accepted",
      delivered: "delivered",
      failed: "failed",
      opened: "opened",
      clicked: "clicked",
      unsubscribed: "unsubscribed",
      complained: "complained",
    },
    facts: { recipient: "recipient" },
  },
  issuesSecret: true,
  secretHint: "Sending > Webhooks > HTTP webhook signing key.",
  retries: "Retries for 8 hours: after 5, 10, 15 and 30 minutes, 1, 2 and 4 hours; not after 406.",
  retryHours: 8,
  docsUrl: "https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks",
  proof: "bytes",
  facts: [
    "https://github.com/mailgun/mailgun-php (tests/Api/WebhookTest.php)",
    "https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks",
  ],
  unchecked: ["when it tries again"],
};
