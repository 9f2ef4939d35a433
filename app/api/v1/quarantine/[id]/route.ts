import { AppError } from "#lib/contracts/app-error";
import { idParams } from "#lib/contracts/ids";
import { quarantineDetail } from "#lib/contracts/quarantine";
import { readQuarantined } from "#lib/flows/read-quarantine";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** One refused request with its body. */
export const GET = defineRoute({
  operation: "quarantine.read",
  summary: "Read a refused request",
  params: idParams,
  answers: { 200: quarantineDetail },
  example: { params: { id: "qua_example" } },
  handle: async ({ actor, params }) => {
    const entry = await readQuarantined(actor.workspaceId, params.id);
    if (!entry) throw new AppError("not_found", "There is no refused request of that id.");
    return entry;
  },
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });
