import { defineRoute } from "#lib/api/define-route";
import { requirePerson } from "#lib/auth/actor";
import { ownFactors } from "#lib/contracts/auth/account";
import { readFactors } from "#lib/flows/sign-in/manage-factors";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "account.manage",
  summary: "Read your second factors",
  problems: ["conflict"],
  answers: { 200: ownFactors },
  example: {},
  handle: ({ actor, receivedAt }) => {
    requirePerson(actor);
    return readFactors(actor, receivedAt);
  },
});
