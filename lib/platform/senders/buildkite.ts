import { hmac, type Template } from "../schemes/senders/template.ts";

export const buildkite: Template = {
  title: "Buildkite",
  scheme: hmac(
    {
      header: "x-buildkite-signature",
      format: "pairs",
      part: "signature",
      timestampPart: "timestamp",
      content: "{timestamp}.{body}",
      toleranceSeconds: 300,
    },
    { idIsSigned: true },
  ),
  reading: {
    // Its requests have no ID: a job or build has one event of each kind and state.
    id: ["{event}.{job.id}.{job.state}", "{event}.{build.id}.{build.state}"],
    type: ["event", "header:x-buildkite-event"],
    created: ["build.finished_at", "build.started_at", "build.created_at"],
  },
  records: "generic",
  record: {
    kind: "build",
    id: "build.id",
    types: ["build.*"],
    state: "build.state",
    title: "build.message",
    facts: { pipeline: "pipeline.name", branch: "build.branch" },
  },
  alsoSends: ["x-buildkite-event"],
  secretHint: "Notification services > your webhook > Token. Choose to send it as a signature.",
  docsUrl: "https://buildkite.com/docs/apis/webhooks",
  proof: "bytes",
  facts: ["https://github.com/buildkite/go-buildkite (webhook_test.go)", "https://buildkite.com/docs/apis/webhooks"],
};
