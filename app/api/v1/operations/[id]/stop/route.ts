import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { operation } from "#lib/contracts/operations";
import { stopOperation } from "#lib/flows/operations/operations";

/** A running operation stops within a second or two. Work that it has done is kept. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "operations.manage",
  summary: "Stop a long operation",
  params: idParams,
  answers: { 200: operation },
  example: { params: { id: "rel_example" } },
  handle: ({ context, params }) => stopOperation(context, params.id),
});
