import { network, type Template } from "../schemes/senders/template.ts";

export const jotform: Template = {
  title: "Jotform",
  ...network,
  reading: { id: ["submissionID"], type: ["text:form.submitted"] },
  records: "generic",
  record: {
    kind: "submission",
    id: "submissionID",
    title: "formTitle",
    states: { "form.submitted": "submitted" },
    facts: { form: "formID" },
  },
  secretHint: "Jotform signs nothing: list the networks that it posts from.",
  docsUrl: "https://www.jotform.com/help/245-how-to-setup-a-webhook-with-jotform/",
  unchecked: ["the networks that it posts from"],
};
