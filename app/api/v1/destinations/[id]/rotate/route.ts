import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { rotateDestinationBody, rotatedDestinationSecret } from "#lib/contracts/forwarding/destinations";
import { rotateDestinationSecret } from "#lib/flows/forwarding/destinations";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "destinations.manage",
  confirms: "always",
  summary: "Rotate a destination's signing secret",
  description:
    "Until the overlap ends, requests carry the signatures of both secrets. In re-sign mode this requires a header that can hold several signatures; otherwise only the new secret signs. The secret is shown once, in this response.",
  params: idParams,
  body: rotateDestinationBody,
  answers: { 200: rotatedDestinationSecret },
  example: { params: { id: "dst_example" }, body: { overlapHours: 24 } },
  handle: ({ context, params, body }) => rotateDestinationSecret(context, params.id, body.overlapHours),
});
