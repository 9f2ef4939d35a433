import { defineRoute } from "#lib/api/define-route";
import { idParams, sourceId } from "#lib/contracts/api/ids";
import { acceptAgainBody, acceptedAgain } from "#lib/contracts/quarantine";
import { acceptAgain } from "#lib/flows/quarantine/release-quarantined";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "sources.manage",
  confirms: "always",
  cost: "heavy",
  summary: "Accept a retired signing secret again, for some hours",
  description:
    "Everyone who holds the secret is accepted until then, not only the sender you expect. With `release` a worker releases the quarantined requests of the source that were signed with it; read `/operations/{id}` for its progress. `POST /quarantine/releases` with `dryRun` and `accept` counts them first. With `hours: 0` a secret that is retiring ends now.",
  params: idParams,
  answers: { 200: acceptedAgain },
  example: { params: { id: "src_example" }, body: { secret: "sec_retired_example", hours: 24, release: true } },
  body: acceptAgainBody,
  handle: ({ context, params, body }) => acceptAgain(context, sourceId.parse(params.id), body),
});
