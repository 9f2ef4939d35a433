import { counts } from "#lib/contracts/overview";
import { readCounts } from "#lib/flows/read-counts";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** The numbers beside the navigation. */
export const GET = defineRoute({
  operation: "overview.read",
  summary: "Count what asks for attention",
  answers: { 200: counts },
  example: {},
  handle: ({ actor }) => readCounts(actor.workspaceId, new Date()),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });
