import { AppError } from "#lib/contracts/app-error";
import { idParams } from "#lib/contracts/ids";
import { dryRunOutcome } from "#lib/contracts/redeliveries";
import { dryRunRedelivery } from "#lib/flows/dry-run-redelivery";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** What a frozen re-delivery would do; nothing is written. */
export const POST = defineRoute({
  operation: "events.redeliver",
  summary: "Tell what a frozen redelivery would do",
  params: idParams,
  answers: { 200: dryRunOutcome },
  example: { params: { id: "red_example" } },
  handle: async ({ actor, params }) => {
    const outcome = await dryRunRedelivery(actor.workspaceId, params.id);
    if (!outcome) throw new AppError("not_found", "There is no redelivery of that id.");
    return outcome;
  },
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ POST });
