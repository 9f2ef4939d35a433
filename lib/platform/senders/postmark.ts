import { basic, type Template } from "../schemes/senders/template.ts";

export const postmark: Template = {
  title: "Postmark",
  ...basic,
  reading: {
    id: [
      "{RecordType}.{ID}",
      "{RecordType}.{MessageID}.{ReceivedAt}",
      "{RecordType}.{MessageID}.{ChangedAt}",
      "{RecordType}.{MessageID}.{DeliveredAt}",
      "MessageID",
    ],
    type: ["RecordType", "text:Inbound"],
    created: ["ReceivedAt", "DeliveredAt", "BouncedAt", "ChangedAt", "Date"],
  },
  records: "generic",
  record: {
    kind: "message",
    id: "MessageID",
    title: "Subject",
    states: {
      Delivery: "delivered",
      Bounce: "bounced",
      Open: "opened",
      Click: "clicked",
      SpamComplaint: "complained",
      Inbound: "received",
    },
    facts: { recipient: "Recipient" },
  },
  secretHint: "user:password of the URL that you enter: https://user:password@host/webhooks/name.",
  retries: "Retries for about 10 hours (bounces and inbound), others for 35 minutes.",
  retryHours: 10,
  docsUrl: "https://postmarkapp.com/developer/webhooks/webhooks-overview",
  unchecked: ["when it tries again"],
};
