import { ownToken, type Template } from "../schemes/senders/template.ts";

export const cloudevents: Template = {
  title: "CloudEvents",
  ...ownToken("authorization", "Bearer "),
  challenges: [{ asked: "options", take: "header:webhook-request-origin", answer: { headers: { "webhook-allowed-origin": "{value}" } } }],
  reading: {
    // Binary mode has the parts in headers, structured mode in the body.
    id: ["{header:ce-source}.{header:ce-id}", "{source}.{id}"],
    type: ["header:ce-type", "type"],
    created: ["header:ce-time", "time"],
    data: "data",
    about: ["{subject}", "{source}"],
  },
  records: "none",
  alsoSends: ["ce-specversion", "ce-subject"],
  secretHint: "The token that the sender sends as Authorization: Bearer.",
  docsUrl: "https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md",
  proof: "verifier",
  facts: ["cloudevents (HTTP.binary, HTTP.structured)", "https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md"],
  unchecked: ["batches: set items to $ by a reading of your own"],
};
