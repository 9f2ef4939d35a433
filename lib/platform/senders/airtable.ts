import { hmac, type Template } from "../schemes/senders/template.ts";

export const airtable: Template = {
  title: "Airtable",
  scheme: hmac({ header: "x-airtable-content-mac", prefix: "hmac-sha256=", key: "base64" }, { idIsSigned: true }),
  // Its requests say that something has changed; what it was is read by its API.
  reading: { id: ["receipt:id"], type: ["text:base.changed"], created: ["timestamp"], about: ["base {base.id}"] },
  records: "none",
  issuesSecret: true,
  secretHint: "macSecretBase64, as its API answers when the webhook is made.",
  retries: "Retries at growing intervals, then disables notifications.",
  docsUrl: "https://airtable.com/developers/web/api/webhooks-overview",
  unchecked: ["when it tries again"],
};
