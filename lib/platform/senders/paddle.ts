import { hmac, type Template } from "../schemes/senders/template.ts";

export const paddle: Template = {
  title: "Paddle Billing",
  scheme: hmac(
    {
      header: "paddle-signature",
      format: "pairs",
      separator: ";",
      part: "h1",
      timestampPart: "ts",
      content: "{timestamp}:{body}",
      toleranceSeconds: 300,
    },
    { idIsSigned: true, pastOnly: true },
  ),
  reading: {
    id: ["event_id"],
    type: ["event_type"],
    created: ["occurred_at"],
    data: "data",
    about: ["{data.invoice_number} · {data.id}", "{data.name} · {data.id}", "{data.id}"],
  },
  records: "none",
  issuesSecret: true,
  secretHint: "Developer tools > Notifications > your destination > Secret key. It begins with pdl_ntfset_.",
  retries: "Up to 60 tries within 3 days.",
  retryHours: 72,
  answerWithin: 5,
  docsUrl: "https://developer.paddle.com/webhooks/signature-verification",
  proof: "verifier",
  facts: ["@paddle/paddle-node-sdk (webhooks.unmarshal)", "https://developer.paddle.com/webhooks/respond-to-webhooks"],
  unchecked: ["how long it waits for an answer and tries again"],
};
