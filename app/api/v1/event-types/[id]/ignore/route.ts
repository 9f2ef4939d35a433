import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { eventTypeDetail, fieldSettingsBody } from "#lib/contracts/event-types";
import { changeFieldSettings } from "#lib/flows/event-types/manage-event-types";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "event_types.manage",
  summary: "Set how a field is learnt",
  description:
    "`ignored`: no drift of the field is claimed. `map`: its keys are data. `notEnumeration`: its values are not kept. What is left out stays; all of it outlives relearning.",
  params: idParams,
  body: fieldSettingsBody,
  answers: { 200: eventTypeDetail },
  example: { params: { id: "ety_example" }, body: { path: "data.status", ignored: true } },
  handle: ({ context, params, body }) => changeFieldSettings(context, params.id, body),
});
