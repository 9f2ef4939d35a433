import { jwt, type Template } from "../schemes/senders/template.ts";

export const plaid: Template = {
  title: "Plaid",
  scheme: jwt({
    header: "plaid-verification",
    algorithm: "ES256",
    bodyClaim: "request_body_sha256",
    bodyEncoding: "hex",
    toleranceSeconds: 300,
  }),
  reading: { type: ["{webhook_type}.{webhook_code}"] },
  records: "generic",
  record: { kind: "item", id: "item_id", facts: { environment: "environment" } },
  issuesSecret: true,
  secretHint: "The public key as its API answers it to /webhook_verification_key/get for the kid of the token, as JWK.",
  retries: "Retries for up to 24 hours, at growing intervals.",
  retryHours: 24,
  answerWithin: 10,
  docsUrl: "https://plaid.com/docs/api/webhooks/webhook-verification/",
  unchecked: ["when it changes its key", "how long it waits for an answer and tries again"],
};
