import { hmac, type Template } from "../schemes/senders/template.ts";

export const dropboxSign: Template = {
  title: "Dropbox Sign (HelloSign)",
  scheme: hmac(
    {
      field: "json.event.event_hash",
      timestampField: "json.event.event_time",
      timestampForm: "seconds",
      content: "{timestamp}{body:json.event.event_type}",
    },
    { idIsSigned: false },
  ),
  reading: {
    field: "json",
    // The hash is of the time and the type alone: of two requests in one second it is the same.
    id: [
      "{event.event_hash}.{signature_request.signature_request_id}.{event.event_metadata.related_signature_id}",
      "{event.event_hash}.{signature_request.signature_request_id}",
      "{event.event_hash}.{template.template_id}",
      "event.event_hash",
    ],
    type: ["event.event_type"],
    created: ["event.event_time"],
    about: [
      "{signature_request.title} from {signature_request.requester_email_address}",
      "{signature_request.title}",
      "{signature_request.subject}",
      "{template.title}",
    ],
  },
  answer: { text: "Hello API Event Received" },
  records: "documents",
  record: {
    kind: "document",
    id: "signature_request.signature_request_id",
    title: "signature_request.title",
    states: {
      signature_request_sent: "sent",
      signature_request_viewed: "viewed",
      signature_request_signed: "signed",
      signature_request_all_signed: "completed",
      signature_request_declined: "declined",
      signature_request_canceled: "cancelled",
      signature_request_expired: "expired",
      signature_request_invalid: "error",
      file_error: "error",
    },
    facts: { sentBy: "signature_request.requester_email_address", organizationId: "account_guid" },
  },
  issuesSecret: true,
  secretHint: "Settings > API > API key: the same key that signs in to the API.",
  retries: "Retries for about 3 days, at growing intervals, unless the answer has its text.",
  retryHours: 72,
  docsUrl: "https://developers.hellosign.com/docs/events/walkthrough/",
  proof: "bytes",
  facts: [
    "https://github.com/hellosign/dropbox-sign-openapi (test fixtures EventCallbackHelper, key in the SDKs' tests)",
    "https://developers.hellosign.com/api/manual-reference-pages/glossary/callbacks-events",
  ],
};
