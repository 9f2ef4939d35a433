import { hmac, type Template } from "../schemes/senders/template.ts";

export const typeform: Template = {
  title: "Typeform",
  scheme: hmac({ header: "typeform-signature", prefix: "sha256=", encoding: "base64" }, { idIsSigned: true }),
  reading: { id: ["event_id"], type: ["event_type"], created: ["form_response.submitted_at"] },
  records: "generic",
  record: {
    kind: "submission",
    id: "form_response.token",
    title: "form_response.definition.title",
    states: { form_response: "submitted", form_response_partial: "partial" },
    facts: { form: "form_response.form_id" },
  },
  secretHint: "Your form > Connect > Webhooks > Edit > Secret.",
  retries: "Retries for up to 10 hours, and disables a webhook that keeps failing.",
  retryHours: 10,
  answerWithin: 30,
  docsUrl: "https://www.typeform.com/developers/webhooks/secure-your-webhooks/",
  unchecked: ["how long it waits for an answer and tries again"],
};
