import { hmac, type Template } from "../schemes/senders/template.ts";

export const xero: Template = {
  title: "Xero",
  scheme: hmac({ header: "x-xero-signature", encoding: "base64" }, { idIsSigned: true }),
  // Its intent to receive: an empty list, which is answered 200 if it is signed and 401 if not.
  challenges: [{ asked: "signed", when: [{ place: "events", empty: true }], answer: { status: 200 } }],
  reading: {
    items: "events",
    id: ["{eventCategory}.{resourceId}.{eventType}.{eventDateUtc}"],
    type: ["{eventCategory}.{eventType}", "eventType"],
    created: ["eventDateUtc"],
  },
  records: "generic",
  record: { kind: "resource", id: "resourceId", state: "eventType", facts: { category: "eventCategory", organization: "tenantId" } },
  issuesSecret: true,
  secretHint: "My Apps > your app > Webhooks > Webhooks key.",
  retries: "Retries for up to 24 hours, at growing intervals, then disables the webhook.",
  retryHours: 24,
  answerWithin: 5,
  docsUrl: "https://developer.xero.com/documentation/guides/webhooks/overview/",
  unchecked: ["how long it waits for an answer and tries again"],
};
