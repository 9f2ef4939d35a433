import { jwt, type Template } from "../schemes/senders/template.ts";

export const monday: Template = {
  title: "monday.com",
  // The token says who sends; nothing of the body.
  scheme: jwt({ header: "authorization", algorithm: "HS256", toleranceSeconds: null }),
  challenges: [{ asked: "post", when: [{ place: "challenge" }], take: "challenge", answer: { json: { challenge: "{value}" } } }],
  reading: { id: ["event.triggerUuid", "event.originalTriggerUuid"], type: ["event.type"], created: ["event.triggerTime"] },
  records: "generic",
  record: { kind: "item", id: "event.pulseId", title: "event.pulseName", facts: { board: "event.boardId" } },
  issuesSecret: true,
  secretHint: "Developer Center > your app > Basic information > Signing secret.",
  retries: "Retries once a minute for 30 minutes.",
  retryHours: 0.5,
  docsUrl: "https://developer.monday.com/api-reference/reference/webhooks",
  unchecked: ["webhooks of a personal token, which are not signed", "when it tries again"],
};
