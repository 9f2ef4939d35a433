import { defineRoute } from "#lib/api/define-route";
import { restorationBody, restorationResult } from "#lib/contracts/quarantine";
import { restoreDismissed } from "#lib/flows/quarantine/quarantine";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "quarantine.dismiss",
  summary: "Restore dismissed requests",
  answers: { 200: restorationResult },
  example: { body: { filter: { ids: ["qua_example"] } } },
  body: restorationBody,
  handle: ({ context, body }) => restoreDismissed(context, body.filter),
});
