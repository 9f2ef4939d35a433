import { hmac, type Template } from "../schemes/senders/template.ts";

export const trello: Template = {
  title: "Trello",
  scheme: hmac({ header: "x-trello-webhook", algorithm: "sha1", encoding: "base64", content: "{body}{url}" }, { idIsSigned: true }),
  challenges: [{ asked: "head", answer: { status: 200 } }],
  reading: { id: ["action.id"], type: ["action.type"], created: ["action.date"] },
  records: "generic",
  record: {
    kind: "card",
    id: "action.data.card.id",
    title: "action.data.card.name",
    state: "action.data.list.name",
    facts: { board: "action.data.board.name" },
  },
  issuesSecret: true,
  secretHint: "Your Power-Up > API key > Secret. The callback URL must be WEBHOOK_URL's spelling of this source's URL: it is signed.",
  retries: "Retries after 30, 60 and 120 seconds, then disables a webhook that fails for 30 days.",
  retryHours: 0.06,
  docsUrl: "https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/",
  unchecked: ["when it tries again"],
};
