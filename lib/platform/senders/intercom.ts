import { hmac, type Template } from "../schemes/senders/template.ts";

export const intercom: Template = {
  title: "Intercom",
  scheme: hmac({ header: "x-hub-signature", prefix: "sha1=", algorithm: "sha1" }, { idIsSigned: true }),
  challenges: [{ asked: "head", answer: { status: 200 } }],
  // `delivery_attempts` in the body is another at each try.
  reading: { id: ["id"], type: ["topic"], created: ["created_at"] },
  records: "generic",
  record: {
    kind: "conversation",
    id: "data.item.id",
    types: ["conversation.*"],
    state: "data.item.state",
    title: "data.item.title",
    facts: { category: "data.item.type" },
  },
  issuesSecret: true,
  secretHint: "Developer Hub > your app > Basic information > Client secret.",
  retries: "One retry after a minute; an endpoint that keeps failing is throttled, then disabled.",
  answerWithin: 5,
  docsUrl: "https://developers.intercom.com/docs/webhooks/setting-up-webhooks",
  unchecked: ["whether it asks by HEAD", "how long it waits for an answer and tries again"],
};
