import { hmac, type Template } from "../schemes/senders/template.ts";

export const workos: Template = {
  title: "WorkOS",
  scheme: hmac(
    {
      header: "workos-signature",
      format: "pairs",
      part: "v1",
      timestampPart: "t",
      timestampForm: "milliseconds",
      content: "{timestamp}.{body}",
      toleranceSeconds: 180,
    },
    { idIsSigned: true, pastOnly: true },
  ),
  reading: { id: ["id"], type: ["event"], created: ["created_at"], data: "data", about: ["{data.email}", "{data.name}", "{data.id}"] },
  records: "none",
  issuesSecret: true,
  secretHint: "Developer > Webhooks > your endpoint > Signing secret.",
  retries: "Up to 12 retries within 3 days.",
  retryHours: 72,
  docsUrl: "https://workos.com/docs/events/data-syncing/webhooks",
  proof: "verifier",
  facts: ["@workos-inc/node (webhooks.constructEvent)"],
  unchecked: ["when it tries again"],
};
