import { network, type Template } from "../schemes/senders/template.ts";

export const nanonets: Template = {
  title: "Nanonets",
  ...network,
  reading: { id: ["{result.0.id}.{result.0.moderated_images_count}", "result.0.id"], type: ["text:file.processed"] },
  records: "documents",
  record: {
    kind: "document",
    id: "result.0.id",
    title: "result.0.input",
    states: { "file.processed": "processed" },
    facts: { pages: "result.0.page" },
  },
  secretHint: "Nanonets signs nothing: list the networks that it posts from.",
  docsUrl: "https://nanonets.com/documentation/",
  unchecked: ["the networks that it posts from", "whether a corrected file is sent under the same ID"],
};
