import { hmac, type Template } from "../schemes/senders/template.ts";

export const zendesk: Template = {
  title: "Zendesk",
  scheme: hmac(
    {
      header: "x-zendesk-webhook-signature",
      encoding: "base64",
      content: "{timestamp}{body}",
      timestampHeader: "x-zendesk-webhook-signature-timestamp",
      timestampForm: "rfc3339",
    },
    { idIsSigned: true },
  ),
  reading: {
    id: ["id", "header:x-zendesk-webhook-invocation-id"],
    type: ["type", "text:webhook"],
    created: ["time", "header:x-zendesk-webhook-signature-timestamp"],
    about: ["#{detail.id} {detail.subject}", "{detail.name}"],
  },
  records: "generic",
  record: {
    kind: "ticket",
    id: "detail.id",
    types: ["zen:event-type:ticket.*"],
    state: "detail.status",
    title: "detail.subject",
    facts: { account: "account_id" },
  },
  alsoSends: ["x-zendesk-account-id", "x-zendesk-webhook-id"],
  issuesSecret: true,
  secretHint: "Admin Center > Apps and integrations > Webhooks > your webhook > Signing secret.",
  retries: "Up to 3 retries of answers of 409, of 429 and 503 with Retry-After, and up to 5 of timeouts.",
  answerWithin: 12,
  docsUrl: "https://developer.zendesk.com/documentation/webhooks/verifying/",
  unchecked: ["how long it waits for an answer and tries again"],
};
