import { hmac, type Template } from "../schemes/senders/template.ts";

export const pagerduty: Template = {
  title: "PagerDuty",
  // While secrets are changed there are several v1.
  scheme: hmac({ header: "x-pagerduty-signature", format: "pairs", part: "v1" }, { idIsSigned: true }),
  reading: {
    id: ["event.id"],
    type: ["event.event_type"],
    created: ["event.occurred_at"],
    about: ["#{event.data.number} {event.data.title}", "{event.data.title}", "{event.data.incident.summary}"],
  },
  records: "generic",
  record: {
    kind: "incident",
    id: "event.data.id",
    types: [
      "incident.triggered",
      "incident.acknowledged",
      "incident.unacknowledged",
      "incident.escalated",
      "incident.reassigned",
      "incident.resolved",
      "incident.reopened",
      "incident.priority_updated",
    ],
    state: "event.data.status",
    title: "event.data.title",
    facts: { service: "event.data.service.summary", urgency: "event.data.urgency" },
  },
  alsoSends: ["x-webhook-subscription"],
  issuesSecret: true,
  secretHint: "Integrations > Generic Webhooks (v3): the secret is shown once, when the subscription is made.",
  retries: "Retries for up to 24 hours, then disables the subscription.",
  retryHours: 24,
  answerWithin: 5,
  docsUrl: "https://developer.pagerduty.com/docs/verifying-webhook-signatures",
  proof: "bytes",
  facts: [
    "https://github.com/PagerDuty/go-pagerduty (webhookv3/webhookv3_test.go)",
    "https://developer.pagerduty.com/docs/verifying-webhook-signatures",
  ],
  unchecked: ["how long it waits for an answer and tries again"],
};
