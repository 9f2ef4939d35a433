import { hmac, type Template } from "../schemes/senders/template.ts";

export const clickup: Template = {
  title: "ClickUp",
  scheme: hmac({ header: "x-signature" }, { idIsSigned: true }),
  reading: {
    id: ["{event}.{task_id}.{history_items.0.id}"],
    type: ["event"],
    created: ["history_items.0.date"],
  },
  records: "generic",
  record: {
    kind: "task",
    id: "task_id",
    types: ["task*"],
    states: { taskCreated: "created", taskUpdated: "updated", taskDeleted: "deleted", taskMoved: "moved" },
  },
  issuesSecret: true,
  secretHint: "The secret that its API answers when the webhook is made.",
  retries: "Up to 5 tries, then the webhook counts as failing and is suspended after 100 failed events.",
  answerWithin: 7,
  docsUrl: "https://developer.clickup.com/docs/webhooksignature",
  facts: ["https://developer.clickup.com/docs/webhooksignature", "https://developer.clickup.com/docs/webhookhealth"],
  unchecked: ["how long it waits for an answer and tries again"],
};
