import { defineRoute } from "#lib/api/define-route";
import { preferences } from "#lib/contracts/auth/account";
import { changePreferences, readPreferences } from "#lib/flows/members/manage-account";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "account.manage",
  summary: "Read your own preferences",
  problems: ["conflict"],
  answers: { 200: preferences },
  example: {},
  handle: ({ actor }) => readPreferences(actor),
}).and("PUT", {
  operation: "account.manage",
  summary: "Change your own preferences",
  description: "`timeZone` sets how the console shows times. Times in the API are always UTC.",
  body: preferences,
  answers: { 200: preferences },
  example: { body: { timeZone: "utc" } },
  handle: ({ context, body }) => changePreferences(context, body),
});
