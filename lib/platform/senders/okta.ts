import { ownToken, type Template } from "../schemes/senders/template.ts";

export const okta: Template = {
  title: "Okta event hooks",
  ...ownToken("authorization"),
  challenges: [{ asked: "get", take: "header:x-okta-verification-challenge", answer: { json: { verification: "{value}" } } }],
  reading: {
    items: "data.events",
    id: ["uuid"],
    type: ["eventType"],
    created: ["published"],
    about: ["{displayMessage}: {target.0.displayName}", "{displayMessage}"],
  },
  records: "none",
  secretHint: "The value of the authentication field that you set for the event hook.",
  retries: "One retry.",
  answerWithin: 3,
  docsUrl: "https://developer.okta.com/docs/concepts/event-hooks/",
  unchecked: ["how long it waits for an answer and tries again"],
};
