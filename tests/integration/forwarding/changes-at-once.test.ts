import { expect, it } from "vitest";
import { auditOf } from "#lib/auth/audit/audit";
import { changeDestination } from "#lib/flows/forwarding/manage-destinations";
import { useDatabase } from "#tests/support/database";
import { makeDestination, ownerOf } from "#tests/support/forwarding/destinations";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

it("two people who change different settings of a destination at once both have their way", async () => {
  const { workspaceId } = await makeWorkspace();
  const { id } = await makeDestination(workspaceId, { url: "http://127.0.0.1:9999/" });
  const owner = ownerOf(workspaceId);
  for (let n = 1; n <= 10; n += 1) {
    await Promise.all([
      changeDestination(owner, id, { rate: n }, auditOf(owner)),
      changeDestination(owner, id, { concurrency: n }, auditOf(owner)),
    ]);
    expect(await changeDestination(owner, id, {}, auditOf(owner))).toMatchObject({ rate: n, concurrency: n });
  }
});
