import { hmac, type Template } from "../schemes/senders/template.ts";

export const tally: Template = {
  title: "Tally",
  scheme: hmac({ header: "tally-signature", encoding: "base64" }, { idIsSigned: true }),
  reading: { id: ["eventId"], type: ["eventType"], created: ["createdAt"] },
  records: "generic",
  record: {
    kind: "submission",
    id: "data.responseId",
    title: "data.formName",
    states: { FORM_RESPONSE: "submitted" },
    facts: { form: "data.formId" },
  },
  secretHint: "Your form > Integrations > Webhooks > Signing secret.",
  retries: "Retries after 5 and 30 minutes, 1 hour, 6 hours and 1 day.",
  retryHours: 32,
  answerWithin: 10,
  docsUrl: "https://tally.so/help/webhooks",
  unchecked: ["how long it waits for an answer and tries again"],
};
