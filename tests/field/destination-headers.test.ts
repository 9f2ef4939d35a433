import { describe, expect, it } from "vitest";
import { createDestinationBody, destination } from "#lib/contracts/forwarding/destinations";
import { pool } from "#lib/db/pool";
import { retryDelivery } from "#lib/flows/forwarding/deliveries";
import { changeDestination, getDestination } from "#lib/flows/forwarding/destinations";
import { readDeliveries, readDelivery } from "#lib/flows/forwarding/read-deliveries";
import { testDestination } from "#lib/flows/forwarding/test-destination";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { applyAll, makeDestination, ownerOf, receive } from "#tests/support/forwarding/destinations";
import { startOneSender } from "#tests/support/forwarding/one-sender";
import { countStates, until, useTargets } from "#tests/support/forwarding/senders";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });
const { open, target } = useTargets();

const KEY = "Bearer gw-canary-5f0c2d8b1e";

const parsed = (headers: unknown) => createDestinationBody.safeParse({ name: "A", url: "https://app.example.com/", headers });
const messageOf = (headers: unknown) => parsed(headers).error?.issues[0];

// svix/svix-webhooks#382
describe("headers that would break a request are refused with the reason", () => {
  it.each([
    ["Host", "belongs to the connection"],
    ["content-length", "belongs to the connection"],
    ["Transfer-Encoding", "belongs to the connection"],
    ["proxy-authorization", "belongs to the connection"],
    ["Expect", "belongs to the connection"],
    ["Content-Type", "is set by Signalbox"],
    ["User-Agent", "is set by Signalbox"],
    ["Webhook-Signature", "signs or names the event"],
    ["x-webhook-signature", "signs or names the event"],
    ["Signalbox-Event-Id", "signs or names the event"],
    ["X-Forwarded-For", "set by proxies"],
    ["Metadata-Flavor", "metadata service"],
    ["X Api Key", "without blanks"],
    ["X-Api-Key:", "without blanks or a colon"],
    ["x-ä", "letters, digits and dashes"],
    ["", "Enter a name"],
  ])("%s", (name, reason) => {
    expect(messageOf([{ name, value: "a" }])).toMatchObject({ path: ["headers", 0, "name"], message: expect.stringContaining(reason) });
  });

  it.each([
    ["a line end", "a\r\nx-other: b"],
    ["a byte beyond ASCII", "schlüssel"],
    ["a control character", "a\u0001b"],
    ["nothing", "  "],
  ])("a value with %s", (_, value) => {
    expect(messageOf([{ name: "x-api-key", value }])).toMatchObject({ path: ["headers", 0, "value"] });
  });

  it("a name twice, 21 headers, and more than 8 kB", () => {
    const many = (count: number, value = "a") => Array.from({ length: count }, (_, n) => ({ name: `x-${n}`, value }));
    expect(messageOf([...many(1), { name: "X-0", value: "b" }])).toMatchObject({ path: ["headers", 1, "name"] });
    expect(parsed(many(20)).success).toBe(true);
    expect(messageOf(many(21))).toMatchObject({ path: ["headers"], message: "must be at most 20 headers" });
    expect(messageOf(many(2, "a".repeat(4096)))).toMatchObject({ path: ["headers"], message: expect.stringContaining("8192") });
  });

  it("what a paste leaves around a value is left out", () => {
    expect(parsed([{ name: " X-Api-Key ", value: " abc\r\n" }]).data?.headers).toEqual([{ name: "X-Api-Key", value: "abc" }]);
  });
});

// hookdeck/outpost#590, nocodb/nocodb#13525
it.each(["signed", "pass_through"] as const)(
  "in %s mode a gateway's key and a tenant go with the test, the first try, the retry and what is sent again",
  async (mode) => {
    const { workspaceId, source } = await makeWorkspace();
    const owner = ownerOf(workspaceId);
    let answers = 0;
    const { url, received } = await target((_one, _request, response) => {
      answers += 1;
      response.writeHead(answers === 1 ? 503 : 200).end();
    });
    const headers = [
      { name: "Authorization", value: KEY },
      { name: "X-Tenant", value: "7" },
    ];
    const { id } = await makeDestination(workspaceId, { url, mode, headers });
    await receive(source);
    await applyAll();
    const sender = await startOneSender(id);
    open.push(sender);
    await until(
      () => countStates(id),
      () => received.length === 1,
    );
    await until(
      async () => (await readDeliveries(workspaceId, { destination: id }, { limit: 1 })).data[0]?.state,
      (state) => state === "retrying",
    );
    await pool().query("UPDATE forward_deliveries SET due_at = now() - interval '1 second' WHERE destination_id = $1", [id]);
    await sender.update();
    await until(
      () => countStates(id),
      ({ delivered }) => delivered === 1,
    );
    const { data } = await readDeliveries(workspaceId, { destination: id }, { limit: 1 });
    await retryDelivery(contextOf(owner), data[0]?.id ?? "");
    await sender.update();
    await until(
      () => received.length,
      (count) => count === 3,
    );
    expect(await testDestination(contextOf(owner), id)).toMatchObject({ outcome: "delivered" });
    expect(received.map((one) => [one.headers.authorization, one.headers["x-tenant"]])).toEqual(Array(4).fill([KEY, "7"]));
    expect(received.every((one) => one.headers["user-agent"] === "Signalbox" && one.headers["signalbox-event-id"])).toBe(true);
    const { attemptLog } = (await readDelivery(workspaceId, data[0]?.id ?? "")) ?? { attemptLog: [] };
    expect(attemptLog.map(({ request }) => [request.headers.Authorization, request.headers["X-Tenant"]])).toContainEqual([
      "[hidden]",
      "[hidden]",
    ]);
  },
);

// mendix/docs#7677: nobody could tell whether the header was there, and saving again lost it
it("an authorization header is listed by its name, and stays when the destination is saved again without its value", async () => {
  const { workspaceId } = await makeWorkspace();
  const owner = ownerOf(workspaceId);
  const { url, received } = await target();
  const { id } = await makeDestination(workspaceId, { url, headers: [{ name: "Authorization", value: KEY }] });
  expect(destination.parse(await getDestination(workspaceId, id)).headers).toEqual([{ name: "Authorization" }]);
  await changeDestination(contextOf(owner), id, { name: "Renamed" });
  const more = [{ name: "authorization" }, { name: "X-Api-Version", value: "2" }];
  expect((await changeDestination(contextOf(owner), id, { headers: more })).headers).toEqual(more.map(({ name }) => ({ name })));
  await testDestination(contextOf(owner), id);
  await changeDestination(contextOf(owner), id, { headers: [{ name: "X-Api-Version" }] });
  await testDestination(contextOf(owner), id);
  expect(received.map((one) => [one.headers.authorization, one.headers["x-api-version"]])).toEqual([
    [KEY, "2"],
    [undefined, "2"],
  ]);
});
