import { hmac, type Template } from "../schemes/senders/template.ts";

export const bitbucket: Template = {
  title: "Bitbucket",
  scheme: hmac({ header: "x-hub-signature", prefix: "sha256=" }, { idIsSigned: false }),
  reading: { id: ["header:x-request-uuid"], type: ["header:x-event-key"] },
  records: "generic",
  record: {
    kind: "pull-request",
    // Its number is counted by repository.
    id: "pullrequest.links.html.href",
    types: ["pullrequest:*"],
    state: "pullrequest.state",
    title: "pullrequest.title",
    facts: { repository: "repository.full_name" },
  },
  alsoSends: ["x-hook-uuid", "x-attempt-number"],
  secretHint: "Repository settings > Webhooks > your webhook > Secret.",
  retries: "Up to 2 retries of answers of 5xx and of timeouts.",
  answerWithin: 10,
  docsUrl: "https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/",
  proof: "bytes",
  facts: ["its example: a4771c39… of Hello World!", "https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/"],
  unchecked: ["how long it waits for an answer and tries again"],
};
