import { defineRoute } from "#lib/api/define-route";
import { idParams, sourceId } from "#lib/contracts/api/ids";
import { verificationToken } from "#lib/contracts/sources/sources";
import { showVerificationToken } from "#lib/flows/sources/manage-sources";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "sources.manage",
  confirms: "always",
  summary: "Show the secret that a source's sender has brought, once",
  description:
    "Some senders, Notion for one, bring their secret with the first request and want it entered at the sender. It is shown once, within ten minutes of adding the source or of opening it again (PATCH with learning).",
  params: idParams,
  answers: { 200: verificationToken },
  example: { params: { id: "src_learning_example" } },
  handle: ({ context, params }) => showVerificationToken(context, sourceId.parse(params.id)),
});
