import { actorName } from "#lib/auth/actor";
import { AppError } from "#lib/contracts/app-error";
import { dismissFinding } from "#lib/findings/finding-store";
import { defineRoute } from "#lib/http/define-route";

/** Sets a finding aside, with who did it and when. One that is not open stays as it is. */
export const POST = defineRoute({
  operation: "findings.dismiss",
  handle: async ({ actor, params, receivedAt }) => {
    const finding = await dismissFinding(actor.workspaceId, params.id ?? "", actorName(actor), receivedAt);
    if (!finding) throw new AppError("not_found", "There is no finding of that id.");
    return finding;
  },
});
