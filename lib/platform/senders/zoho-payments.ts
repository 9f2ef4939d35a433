import { hmac, type Template } from "../schemes/senders/template.ts";

export const zohoPayments: Template = {
  title: "Zoho Payments",
  scheme: hmac(
    {
      header: "x-zoho-webhook-signature",
      format: "pairs",
      part: "v",
      timestampPart: "t",
      timestampForm: "milliseconds",
      content: "{timestamp}.{body}",
    },
    { idIsSigned: true },
  ),
  reading: { id: ["event_id"], type: ["event_type"], created: ["event_time"] },
  records: "generic",
  record: { kind: "payment", id: "event_object.payment.payment_id", types: ["payment.*"], state: "event_object.payment.status" },
  issuesSecret: true,
  secretHint: "Settings > Developer space > Webhooks > your webhook > Signing key.",
  docsUrl: "https://www.zoho.com/in/payments/api/v1/webhooks/",
  unchecked: ["its signature against a request of its own", "where its events have their records"],
};
