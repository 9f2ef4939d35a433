import { defineRoute, otherMethods } from "#lib/api/define-route";
import { requirePerson } from "#lib/auth/actor";
import { ownFactors } from "#lib/contracts/auth/account";
import { readFactors } from "#lib/flows/sign-in/manage-factors";

export const GET = defineRoute({
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

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });
