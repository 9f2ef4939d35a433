import { hmac, type Template } from "../schemes/senders/template.ts";

export const signable: Template = {
  title: "Signable",
  scheme: hmac({ header: "signature", encoding: "base64" }, { idIsSigned: true }),
  reading: { id: ["{action}.{envelope_fingerprint}.{action_date}"], type: ["action"], created: ["action_date"] },
  records: "documents",
  record: {
    kind: "document",
    id: "envelope_fingerprint",
    title: "envelope_title",
    states: {
      "send-envelope": "sent",
      "opened-envelope": "viewed",
      "signed-envelope": "signed",
      "signed-envelope-complete": "completed",
      "rejected-envelope": "declined",
      "cancelled-envelope": "cancelled",
      "expired-envelope": "expired",
    },
  },
  issuesSecret: true,
  secretHint: "Company settings > API & webhooks > Webhook secret.",
  docsUrl: "https://developers.signable.app/",
  unchecked: ["its signature against a request of its own"],
};
