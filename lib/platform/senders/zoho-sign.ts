import { hmac, type Template } from "../schemes/senders/template.ts";

export const zohoSign: Template = {
  title: "Zoho Sign",
  scheme: hmac({ header: "x-zs-webhook-signature", encoding: "base64" }, { idIsSigned: true }),
  reading: {
    id: ["{notifications.operation_type}.{requests.request_id}.{notifications.performed_at}"],
    type: ["notifications.operation_type"],
    created: ["notifications.performed_at"],
  },
  records: "documents",
  record: {
    kind: "document",
    id: "requests.request_id",
    title: "requests.request_name",
    states: {
      RequestSubmitted: "sent",
      RequestViewed: "viewed",
      RequestSigningSuccess: "signed",
      RequestCompleted: "completed",
      RequestRejected: "declined",
      RequestRecalled: "cancelled",
      RequestExpired: "expired",
      RequestDeleted: "deleted",
    },
    facts: { sentBy: "requests.owner_email", organizationId: "requests.org_id" },
  },
  secretHint: "Settings > Developer settings > Webhooks > your webhook > Secret key.",
  docsUrl: "https://www.zoho.com/sign/api/webhook.html",
  unchecked: ["its signature against a request of its own", "the names of all its operations"],
};
