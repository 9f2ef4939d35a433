import { defineRoute } from "#lib/api/define-route";
import { createSavedFilterBody, savedFilter, savedFilterList } from "#lib/contracts/saved-filters";
import { createSavedFilter, readSavedFilters } from "#lib/flows/saved-filters/manage-saved-filters";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "saved_filters.read",
  summary: "List saved filters",
  answers: { 200: savedFilterList },
  example: {},
  handle: ({ actor }) => readSavedFilters(actor),
}).and("POST", {
  operation: "saved_filters.manage",
  summary: "Save a filter",
  description: "The whole workspace can see a shared filter; sharing requires the role developer, admin or owner.",
  body: createSavedFilterBody,
  answers: { 201: savedFilter },
  example: { body: { name: "Failed today", page: "events", filter: { state: ["failed"], period: ["24h"] } } },
  handle: ({ context, body }) => createSavedFilter(context, body),
});
