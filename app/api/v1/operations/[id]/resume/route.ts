import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { operation } from "#lib/contracts/operations";
import { resumeOperation } from "#lib/flows/operations/operations";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "operations.manage",
  summary: "Resume a stopped or failed operation",
  params: idParams,
  answers: { 202: operation },
  example: { params: { id: "rel_example" } },
  handle: ({ context, params }) => resumeOperation(context, params.id),
});
