import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { changeSavedFilterBody, savedFilter } from "#lib/contracts/saved-filters";
import { changeSavedFilter, deleteSavedFilter } from "#lib/flows/saved-filters/manage-saved-filters";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("PATCH", {
  operation: "saved_filters.manage",
  summary: "Rename, share or change a saved filter",
  params: idParams,
  body: changeSavedFilterBody,
  answers: { 200: savedFilter },
  example: { params: { id: "flt_example" }, body: { name: "Failed this week" } },
  handle: ({ context, params, body }) => changeSavedFilter(context, params.id, body),
}).and("DELETE", {
  operation: "saved_filters.manage",
  summary: "Delete a saved filter",
  params: idParams,
  answers: { 204: null },
  example: { params: { id: "flt_example" } },
  handle: ({ context, params }) => deleteSavedFilter(context, params.id),
});
