import { hmac, type Template } from "../schemes/senders/template.ts";

export const sentry: Template = {
  title: "Sentry",
  scheme: hmac({ header: "sentry-hook-signature" }, { idIsSigned: false }),
  reading: {
    id: ["header:request-id"],
    type: ["{header:sentry-hook-resource}.{action}", "header:sentry-hook-resource"],
    created: ["header:sentry-hook-timestamp"],
    about: [
      "{data.issue.shortId} {data.issue.title}",
      "{data.issue.title}",
      "{data.event.title}",
      "{data.error.title}",
      "{data.metric_alert.title}",
    ],
  },
  records: "generic",
  record: {
    kind: "issue",
    id: "data.issue.id",
    types: ["issue.*"],
    state: "data.issue.status",
    title: "data.issue.title",
    facts: { project: "data.issue.project.slug" },
  },
  issuesSecret: true,
  secretHint: "Settings > Custom integrations > your integration > Client secret.",
  retries: "Doesn't retry; an integration that keeps failing is disabled.",
  retryHours: 0,
  answerWithin: 1,
  docsUrl: "https://docs.sentry.io/organization/integrations/integration-platform/webhooks/",
  proof: "source",
  facts: [
    "https://github.com/getsentry/sentry (SentryApp.build_signature)",
    "https://docs.sentry.io/organization/integrations/integration-platform/webhooks/",
  ],
  unchecked: ["how long it waits for an answer and tries again"],
};
