import { hmac, type Template } from "../schemes/senders/template.ts";

export const mindee: Template = {
  title: "Mindee",
  scheme: hmac({ header: "x-mindee-hmac-signature" }, { idIsSigned: true }),
  reading: { id: ["inference.id", "document.id"], type: ["text:inference.completed"] },
  records: "documents",
  record: {
    kind: "document",
    ids: ["inference.id"],
    id: "document.id",
    title: "inference.file.name",
    states: { "inference.completed": "processed" },
    facts: { pages: "inference.file.page_count", contentType: "inference.file.mime_type", model: "inference.model.id" },
  },
  issuesSecret: true,
  secretHint: "Webhooks > your webhook > Signature secret.",
  docsUrl: "https://docs.mindee.com/integrations/webhooks",
  proof: "verifier",
  facts: ["mindee (LocalResponse.isValidHmacSignature)", "https://docs.mindee.com/integrations/webhooks"],
};
