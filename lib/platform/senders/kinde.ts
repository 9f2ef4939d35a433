import { ownJwt, type Template } from "../schemes/senders/template.ts";

export const kinde: Template = {
  title: "Kinde",
  ...ownJwt({ algorithm: "RS256", toleranceSeconds: null }),
  reading: { id: ["event_id"], type: ["type"], created: ["event_timestamp", "timestamp"], data: "data" },
  records: "generic",
  record: {
    kind: "user",
    id: "user.id",
    types: ["user.*"],
    title: "user.email",
    states: { "user.created": "created", "user.updated": "updated", "user.deleted": "deleted" },
  },
  secretHint: "No secret: its keys are fetched from https://your-business.kinde.com/.well-known/jwks.json (scheme.jwt.jwks).",
  retries: "Retries for up to 24 hours, at growing intervals.",
  retryHours: 24,
  docsUrl: "https://docs.kinde.com/integrate/webhooks/about-webhooks/",
  proof: "verifier",
  facts: ["@kinde/webhooks (decodeWebhook)", "https://docs.kinde.com/integrate/webhooks/about-webhooks/"],
  unchecked: ["when it tries again"],
};
