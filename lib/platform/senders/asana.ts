import { hmac, type Template } from "../schemes/senders/template.ts";

export const asana: Template = {
  title: "Asana",
  scheme: hmac({ header: "x-hook-signature" }, { idIsSigned: true }),
  challenges: [
    {
      asked: "post",
      when: [{ place: "header:x-hook-secret" }],
      take: "header:x-hook-secret",
      learning: { secret: "header:x-hook-secret" },
      answer: { status: 200, headers: { "x-hook-secret": "{value}" } },
    },
    // Its heartbeat: nothing has happened.
    { asked: "signed", when: [{ place: "events", empty: true }], answer: { status: 200 } },
  ],
  reading: {
    items: "events",
    id: [
      "{resource.gid}.{action}.{change.field}.{created_at}",
      "{resource.gid}.{action}.{parent.gid}.{created_at}",
      "{resource.gid}.{action}.{created_at}",
    ],
    type: ["{resource.resource_type}.{action}"],
    created: ["created_at"],
  },
  records: "generic",
  record: { kind: "resource", id: "resource.gid", state: "action", facts: { category: "resource.resource_type", changedBy: "user.gid" } },
  issuesSecret: true,
  secretHint: "Its first request brings it: leave it empty, then make the webhook at Asana.",
  retries: "Retries for 24 hours, at growing intervals, then deletes the webhook.",
  retryHours: 24,
  answerWithin: 10,
  docsUrl: "https://developers.asana.com/docs/webhooks-guide",
  unchecked: ["how long it waits for an answer and tries again"],
};
