import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { eventTypeDetail, pinBody } from "#lib/contracts/event-types";
import { pinSchema } from "#lib/flows/event-types/manage-event-types";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "event_types.manage",
  summary: "Pin an event type's schema, or end its pin",
  description:
    "To a version, to what is observed now (which is published), or to a JSON Schema of the events' data. A pinned schema is strict: each deviation is counted, and the first one opens an issue.",
  params: idParams,
  body: pinBody,
  answers: { 200: eventTypeDetail },
  example: { params: { id: "ety_example" }, body: { pinned: true } },
  handle: ({ context, params, body }) => pinSchema(context, params.id, body),
});
