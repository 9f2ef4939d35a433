import { verify } from "@octokit/webhooks-methods";
import { expect, it } from "vitest";
import { requestHeaders } from "#lib/forwarding/attempt/request-headers";
import { SENDERS } from "#tests/support/senders";

it("a copy that is passed through verifies with the sender's own library, and carries no secret of the request", async () => {
  const { secret, body, signedByThem } = SENDERS.github;
  const headers = {
    ...(await signedByThem()),
    "x-github-event": "push",
    "x-github-delivery": "72d3162e",
    "x-gitlab-token": "a secret",
    authorization: "[masked]",
    "x-internal": "of a proxy",
    ":query": "tenant=7",
  };
  const event = { deliveryId: "dlv_1", number: 1, sourceId: "src_1", eventId: "72d3162e", type: "push", body: Buffer.from(body), headers };
  const sent = requestHeaders(event, "pass_through", [], new Date());
  expect(await verify(secret, body, sent["x-hub-signature-256"] ?? "")).toBe(true);
  expect(sent).toMatchObject({ "x-github-event": "push", "x-github-delivery": "72d3162e", "signalbox-event-id": "72d3162e" });
  for (const name of ["x-gitlab-token", "authorization", "x-internal", ":query", "webhook-signature"])
    expect(sent).not.toHaveProperty([name]);
});
