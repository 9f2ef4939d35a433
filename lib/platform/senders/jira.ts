import { hmac, type Template } from "../schemes/senders/template.ts";

export const jira: Template = {
  title: "Jira",
  scheme: hmac({ header: "x-hub-signature", prefix: "sha256=" }, { idIsSigned: false }),
  reading: { id: ["header:x-atlassian-webhook-identifier"], type: ["webhookEvent"], created: ["timestamp"] },
  records: "generic",
  record: {
    kind: "issue",
    id: "issue.key",
    types: ["jira:issue_*"],
    state: "issue.fields.status.name",
    title: "issue.fields.summary",
    facts: { project: "issue.fields.project.key", assignee: "issue.fields.assignee.displayName" },
  },
  alsoSends: ["x-atlassian-webhook-retry", "x-atlassian-webhook-flow"],
  secretHint: "Settings > System > Webhooks > your webhook > Secret.",
  retries: "Up to 5 retries, each after 5 to 15 minutes.",
  retryHours: 1.25,
  docsUrl: "https://developer.atlassian.com/cloud/jira/platform/webhooks/",
  proof: "bytes",
  facts: ["its example: a4771c39… of Hello World!", "https://developer.atlassian.com/cloud/jira/platform/webhooks/"],
  unchecked: ["when it tries again"],
};
