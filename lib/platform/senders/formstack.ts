import { hmac, type Template } from "../schemes/senders/template.ts";

export const formstack: Template = {
  title: "Formstack",
  scheme: hmac({ header: "x-fs-signature", prefix: "sha256=" }, { idIsSigned: true }),
  reading: { id: ["UniqueID"], type: ["text:form.submitted"] },
  records: "generic",
  record: { kind: "submission", id: "UniqueID", states: { "form.submitted": "submitted" }, facts: { form: "FormID" } },
  secretHint: "Your form > Settings > Emails & Actions > WebHook > HMAC key.",
  docsUrl: "https://help.formstack.com/s/article/Webhooks",
  unchecked: ["its signature against a request of its own"],
};
