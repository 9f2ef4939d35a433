import { defineRoute } from "#lib/api/define-route";
import { idParams, sourceId } from "#lib/contracts/api/ids";
import { changeSourceBody, source } from "#lib/contracts/sources/sources";
import { changeSource } from "#lib/flows/sources/manage-sources";
import { readSource } from "#lib/flows/sources/read-sources";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "sources.read",
  summary: "Get a source",
  params: idParams,
  answers: { 200: source },
  example: { params: { id: "src_example" } },
  handle: ({ actor, params }) => readSource(actor.workspaceId, sourceId.parse(params.id)),
})
  .and("PATCH", {
    operation: "sources.manage",
    confirms: ["secret", "template", "scheme", "learning"],
    summary: "Change a source",
    params: idParams,
    body: changeSourceBody,
    answers: { 200: source },
    example: { params: { id: "src_example" }, body: { reading: { id: ["id"], type: ["type"] } } },
    handle: ({ context, params, body }) => changeSource(context, sourceId.parse(params.id), body),
  })
  .and("DELETE", {
    operation: "sources.manage",
    summary: "Archive a source",
    description: "Its URL answers 404 from now on. Received events are kept. To restore it, change `archived` to false.",
    params: idParams,
    answers: { 204: null },
    example: { params: { id: "src_other_example" } },
    handle: ({ context, params }) => changeSource(context, sourceId.parse(params.id), { archived: true }),
  });
