import { hmac, type Template } from "../schemes/senders/template.ts";

export const calendly: Template = {
  title: "Calendly",
  scheme: hmac(
    {
      header: "calendly-webhook-signature",
      format: "pairs",
      part: "v1",
      timestampPart: "t",
      content: "{timestamp}.{body}",
      toleranceSeconds: 180,
    },
    { idIsSigned: true, pastOnly: true },
  ),
  reading: { id: ["{event}.{payload.uri}.{created_at}"], type: ["event"], created: ["created_at"] },
  records: "generic",
  record: {
    kind: "invitee",
    id: "payload.uri",
    types: ["invitee.*"],
    state: "payload.status",
    title: "payload.name",
    facts: { startsAt: "payload.scheduled_event.start_time", meeting: "payload.scheduled_event.name" },
  },
  secretHint: "The signing_key that you give when you make the subscription.",
  retries: "Retries for 24 hours, at growing intervals, then disables the subscription.",
  retryHours: 24,
  answerWithin: 10,
  docsUrl: "https://developer.calendly.com/api-docs/4c305798a61d3-webhook-signatures",
  unchecked: ["how long it waits for an answer and tries again"],
};
