import { defineRoute } from "#lib/api/define-route";
import { otherMethods } from "#lib/api/other-methods";
import { requirePerson } from "#lib/auth/members/person";
import { ownFactors } from "#lib/contracts/auth/factors";
import { readFactors } from "#lib/flows/sign-in/manage-factors";

export const GET = defineRoute({
  operation: "account.manage",
  summary: "Read your second factors",
  answers: { 200: ownFactors },
  example: {},
  handle: ({ actor, receivedAt }) => {
    requirePerson(actor);
    return readFactors(actor, receivedAt);
  },
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });
