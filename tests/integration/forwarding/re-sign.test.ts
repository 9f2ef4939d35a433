import { describe, expect, onTestFinished, test, vi } from "vitest";
import { pool } from "#lib/db/pool";
import { changeDestination } from "#lib/flows/forwarding/destinations";
import { readDeliveries, readDelivery } from "#lib/flows/forwarding/read-deliveries";
import { testDestination } from "#lib/flows/forwarding/test-destination";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { applyAll, makeDestination } from "#tests/support/forwarding/destinations";
import { startOneSender } from "#tests/support/forwarding/one-sender";
import { until, untilArrived, untilStates, useTargets } from "#tests/support/forwarding/senders";
import type { Received } from "#tests/support/forwarding/target";
import { useNodeReceiver } from "#tests/support/receivers";
import { HMAC, useSenders } from "#tests/support/sender-source";
import { stripeTakes } from "#tests/support/senders";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });
const { open, target } = useTargets();
const { makeSender } = useSenders(useNodeReceiver());

const isStripes = (one: Received | undefined, secret: string | null): boolean =>
  stripeTakes(one?.body.toString() ?? "", String(one?.headers["stripe-signature"]), secret ?? "");

const EVENT = JSON.stringify({ id: "evt_stripe_1", type: "invoice.paid", created: 1_790_000_000, data: {} });

describe("re-sign", () => {
  test("a handler written with Stripe's SDK takes an event at the first attempt and at a retry six hours later", async () => {
    const { workspaceId, name, send, secret: theirs } = await makeSender("stripe");
    let answers = 0;
    const { url, received } = await target((_one, _request, response) => {
      response.statusCode = answers++ === 0 ? 500 : 204;
      response.end();
    });
    const { id, secret } = await makeDestination(workspaceId, { url, mode: "re_sign", sources: [name] });
    await send(EVENT);
    await applyAll();
    const sender = await startOneSender(id);
    open.push(sender);
    await until(
      async () => (await readDeliveries(workspaceId, { destination: id }, { limit: 1 })).data,
      ([delivery]) => delivery?.state === "retrying",
    );
    expect([isStripes(received[0], secret), isStripes(received[0], theirs)]).toEqual([true, false]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 6 * 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(isStripes(received[0], secret)).toBe(false);
    await pool().query("UPDATE forward_deliveries SET due_at = now() - interval '1 second' WHERE destination_id = $1", [id]);
    await sender.update();
    await untilStates(id, { delivered: 1 });
    expect(isStripes(received[1], secret)).toBe(true);
    expect(received.map(({ body }) => body.toString())).toEqual([EVENT, EVENT]);
  });

  test("the test event is one of the sender's own kind, signed with the destination's secret", async () => {
    const { workspaceId, owner, name } = await makeSender("stripe");
    const { url, received } = await target();
    const { id, secret } = await makeDestination(workspaceId, { url, mode: "re_sign", sources: [name] });
    expect(await testDestination(contextOf(owner), id)).toMatchObject({ outcome: "delivered" });
    expect(isStripes(received[0], secret)).toBe(true);
    expect(JSON.parse(received[0]?.body.toString() ?? "")).toMatchObject({ type: "signalbox.test" });
  });

  test("needs sources that can be signed for, and says which can't", async () => {
    const { workspaceId, owner, name } = await makeSender("stripe");
    const { url } = await target();
    await expect(makeDestination(workspaceId, { url, mode: "re_sign" })).rejects.toMatchObject({
      status: 400,
      errors: [{ path: "sources", message: expect.stringContaining("Choose the sources") }],
    });
    const { id } = await makeDestination(workspaceId, { url });
    await expect(changeDestination(contextOf(owner), id, { mode: "re_sign" })).rejects.toMatchObject({ status: 400 });
    expect(await changeDestination(contextOf(owner), id, { mode: "re_sign", sources: [name] })).toMatchObject({ mode: "re_sign" });
    const graph = await makeSender("microsoft-graph");
    await expect(makeDestination(graph.workspaceId, { url, mode: "re_sign", sources: [graph.name] })).rejects.toMatchObject({
      status: 400,
      errors: [{ path: "sources", message: expect.stringContaining("Microsoft Graph can't be re-signed") }],
    });
  });

  test("a token that is sent along stands in no attempt, also where the target repeats it", async () => {
    const { workspaceId, name, send } = await makeSender("token", { scheme: { token: { header: "x-key", prefix: "" } } });
    const { url, received } = await target((one, _request, response) =>
      response.writeHead(403, { "x-given": String(one.headers["x-key"]) }).end(`no: ${one.headers["x-key"]}`),
    );
    const { id, secret } = await makeDestination(workspaceId, { url, mode: "re_sign", sources: [name] });
    await send(JSON.stringify({ id: "e1", type: "a.b" }));
    await applyAll();
    open.push(await startOneSender(id));
    const [delivery] = await until(
      async () => (await readDeliveries(workspaceId, { destination: id }, { limit: 1 })).data,
      ([first]) => first?.state === "retrying",
    );
    expect(received[0]?.headers["x-key"]).toBe(secret);
    const detail = await readDelivery(workspaceId, delivery?.id ?? "");
    expect(JSON.stringify(detail)).not.toContain(secret);
    expect(detail?.attemptLog[0]).toMatchObject({
      request: { headers: { "x-key": "[hidden]" } },
      response: { body: { text: "no: [hidden]" }, headers: { "x-given": "[hidden]" } },
    });
  });
});

test("a home-made signature is passed through under the name that its source gives it", async () => {
  const { workspaceId, send } = await makeSender("hmac", { scheme: { hmac: HMAC } });
  const { url, received } = await target();
  const { id } = await makeDestination(workspaceId, { url, mode: "pass_through" });
  await send(JSON.stringify({ id: "e1", type: "a.b" }));
  await applyAll();
  open.push(await startOneSender(id));
  await untilArrived(received, 1);
  const [first] = received;
  expect(first?.headers["x-acme-signature"]).toMatch(/^[0-9a-f]{64}$/);
});
