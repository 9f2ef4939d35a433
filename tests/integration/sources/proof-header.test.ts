import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { exportEvents } from "#lib/flows/events/export-events";
import { readEvent } from "#lib/flows/events/read-event";
import { readDeliveries, readDelivery } from "#lib/flows/forwarding/read-deliveries";
import { testDestination } from "#lib/flows/forwarding/test-destination";
import { readQuarantined } from "#lib/flows/quarantine/quarantine";
import { releaseQuarantined } from "#lib/flows/quarantine/release-quarantined";
import { ensureSource } from "#lib/sources/source-store";
import { unaudited } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { applyAll, makeDestination } from "#tests/support/forwarding/destinations";
import { startOneSender } from "#tests/support/forwarding/one-sender";
import { untilIs, useTargets } from "#tests/support/forwarding/senders";
import { useNodeReceiver } from "#tests/support/receivers";
import { HMAC, useSenders } from "#tests/support/sender-source";
import { sign } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });
const { open, target } = useTargets();
const { makeSender, newestQuarantined } = useSenders(useNodeReceiver());

const reading = { id: ["id"], type: ["type"] };
const BODY = JSON.stringify({ id: "evt_1", type: "order.paid" });
const HEADERS = ["authorization", "x-api-key", "x-acme-token"];

const makeSigner = (header: string) => {
  const hmac = { ...HMAC, header, prefix: "Acme " };
  return makeSender("hmac", { scheme: { hmac }, reading });
};

it.each(HEADERS)(
  "a signature in %s is sealed, and the request is verified again, released, passed through and re-signed",
  async (header) => {
    const { workspaceId, sourceId, name, send } = await makeSigner(header);
    expect((await send(BODY, {}, new Date(), "another secret")).status).toBe(401);
    const held = await newestQuarantined(workspaceId);
    expect(held?.headers).toMatchObject({ [header]: "[masked]" });
    expect(JSON.stringify(held)).not.toContain("Acme ");
    expect(held?.diagnosis).toMatchObject({ code: "no_match" });
    // The secret that it was signed with is set now.
    await ensureSource(workspaceId, name, "another secret", { now: new Date() });
    expect((await readQuarantined(workspaceId, held?.id ?? "", new Date()))?.diagnosis).toMatchObject({
      code: "verifies",
      verifiesNow: true,
    });
    const targets = [await target(), await target()];
    const received = targets.map((one) => one.received);
    const modes = ["pass_through", "re_sign"] as const;
    const made = await Promise.all(
      modes.map((mode, place) => makeDestination(workspaceId, { url: targets[place]?.url ?? "", mode, sources: [name] })),
    );
    expect(await releaseQuarantined(workspaceId, held?.id ?? "", "Ada", new Date())).toMatchObject({ released: true, eventId: "evt_1" });
    const { rows } = await pool().query<{ headers: Record<string, string>; text: string }>(
      "SELECT headers, headers::text AS text FROM events WHERE source_id = $1",
      [sourceId],
    );
    const [row] = rows;
    expect(row?.text).not.toContain("Acme ");
    expect((await readEvent(workspaceId, "evt_1"))?.headers).toMatchObject({ [header]: "[masked]" });
    for await (const text of exportEvents(workspaceId, {}, "ndjson", new Date())) expect(text).not.toContain(":sealed");
    for (const [place, { secret }] of made.entries()) {
      await applyAll();
      open.push(await startOneSender(made[place]?.id ?? ""));
      await untilIs(async () => received[place]?.length, 1);
      const sent = String(received[place]?.[0]?.headers[header]);
      expect(sent).toBe(`Acme ${sign(BODY, place === 0 ? "another secret" : (secret ?? ""))}`);
      const [delivery] = (await readDeliveries(workspaceId, { destination: made[place]?.id }, { limit: 1 })).data;
      if (place === 0) expect(JSON.stringify(await readDelivery(workspaceId, delivery?.id ?? ""))).not.toContain(sent);
    }
  },
);

it("a test of a destination that passes a sealed signature through sends it, and does not show it", async () => {
  const { workspaceId, owner, name, secret, send } = await makeSigner("authorization");
  expect((await send(BODY)).status).toBe(200);
  const { url, received } = await target();
  const { id } = await makeDestination(workspaceId, { url, mode: "pass_through", sources: [name] });
  const shown = await testDestination(unaudited(owner), id);
  const sent = `Acme ${sign(BODY, secret)}`;
  expect(received[0]?.headers.authorization).toBe(sent);
  expect(Object.keys(shown.request.headers)).toContain("authorization");
  expect(JSON.stringify(shown)).not.toContain(sent);
});

it("a request that an earlier version kept masked says so where it is verified again", async () => {
  const { workspaceId, sourceId, send } = await makeSigner("authorization");
  await send(BODY, {}, new Date(), "another secret");
  await pool().query("UPDATE quarantine SET headers = headers - ':sealed' WHERE source_id = $1", [sourceId]);
  const held = await newestQuarantined(workspaceId);
  expect(held?.diagnosis).toMatchObject({ verdict: "It can't be verified again: its header authorization is not kept." });
  expect(await releaseQuarantined(workspaceId, held?.id ?? "", "Ada", new Date())).toMatchObject({
    released: false,
    reason: expect.stringContaining("its header authorization"),
  });
});

it.each(["host", "content-length", "transfer-encoding"])("%s is rejected as the header of a signature when it is set", async (header) => {
  const rejected = { code: "invalid_request", message: expect.stringContaining(header) };
  await expect(makeSender("hmac", { scheme: { hmac: { ...HMAC, header } }, reading })).rejects.toMatchObject(rejected);
  await expect(makeSender("token", { scheme: { token: { header, prefix: "" } }, reading })).rejects.toMatchObject(rejected);
  const { change } = await makeSigner("x-acme-signature");
  await expect(change({ scheme: { hmac: { ...HMAC, header } } })).rejects.toMatchObject(rejected);
});
