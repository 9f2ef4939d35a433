import { hmac, type Template } from "../schemes/senders/template.ts";

export const yousign: Template = {
  title: "Yousign",
  scheme: hmac({ header: "x-yousign-signature-256", prefix: "sha256=" }, { idIsSigned: true }),
  reading: { id: ["event_id"], type: ["event_name"], created: ["event_time"] },
  records: "documents",
  record: {
    kind: "document",
    id: "data.signature_request.id",
    title: "data.signature_request.name",
    states: {
      "signature_request.activated": "sent",
      "signer.link_opened": "viewed",
      "signer.done": "signed",
      "signature_request.done": "completed",
      "signature_request.declined": "declined",
      "signature_request.canceled": "cancelled",
      "signature_request.expired": "expired",
      "signature_request.permanently_deleted": "deleted",
    },
    facts: { expires: "data.signature_request.expiration_date" },
  },
  alsoSends: ["x-yousign-retry", "x-yousign-issued-at"],
  issuesSecret: true,
  secretHint: "Integrations > Webhooks > your webhook > Secret key.",
  retries: "Up to 8 retries, at growing intervals.",
  docsUrl: "https://developers.yousign.com/docs/verify-webhook-signatures",
  unchecked: ["when it tries again"],
};
