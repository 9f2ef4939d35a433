import { hmac, type Template } from "../schemes/senders/template.ts";

export const rootly: Template = {
  title: "Rootly",
  scheme: hmac(
    {
      header: "x-rootly-signature",
      format: "pairs",
      part: "v1",
      timestampPart: "t",
      timestampForm: "seconds",
      content: "{timestamp}{body}",
    },
    { idIsSigned: true },
  ),
  reading: { id: ["event.id"], type: ["event.type"], created: ["event.issued_at"] },
  records: "generic",
  record: { kind: "incident", id: "data.id", types: ["incident.*"], state: "data.status", title: "data.title" },
  issuesSecret: true,
  secretHint: "Configuration > Webhooks > your endpoint > Secret.",
  docsUrl: "https://docs.rootly.com/integrations/webhooks",
  unchecked: ["its signature against a request of its own"],
};
