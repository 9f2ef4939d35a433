import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { publishedVersion } from "#lib/contracts/event-types";
import { publishVersion } from "#lib/flows/event-types/manage-event-types";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "event_types.manage",
  summary: "Publish an event type's schema as a version",
  description: "Where the newest version has the same shape, that one is the answer, with `created` false.",
  params: idParams,
  answers: { 200: publishedVersion },
  example: { params: { id: "ety_example" } },
  handle: ({ context, params }) => publishVersion(context, params.id),
});
