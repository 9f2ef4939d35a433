import { beforeAll, describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { listEvents } from "#lib/events/event-store";
import { listPositions } from "#lib/events/log/event-body-store";
import { readVolume } from "#lib/events/volume-store";
import { exportEvents } from "#lib/flows/events/export-events";
import { useDatabase } from "#tests/support/database";
import { makeExampleWorld } from "#tests/support/example-world";
import { useNodeReceiver } from "#tests/support/receivers";
import { callRoute } from "#tests/support/routes";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

useDatabase({ TRUSTED_PROXIES: "1", SANDBOX: "on", PLATFORM_TOKEN_URL: "http://127.0.0.1:1" });
const receiver = useNodeReceiver();
let workspaceId: WorkspaceId;

const SENDERS = { a: "192.0.2.1", b: "192.0.2.200", c: "198.51.100.7", d: "2001:DB8::7", e: "2001:db8:1::1", f: "fe80::1%eth0" };

beforeAll(async () => {
  const made = await makeWorkspace();
  workspaceId = made.workspaceId;
  for (const [name, ip] of Object.entries(SENDERS)) {
    const { body, headers } = signed(envelope({ id: `evt_${name}` }));
    expect((await receiver.send(made.source, { body, headers: { ...headers, "x-forwarded-for": ip } })).status).toBe(200);
  }
});

describe("events received from an IP address", () => {
  it.each([
    ["an IPv4 address", "192.0.2.1", "a"],
    ["an IPv4 network", "192.0.2.0/24", "ba"],
    ["a network written by one of its addresses", "192.0.2.77/24", "ba"],
    ["every IPv4 address", "0.0.0.0/0", "cba"],
    ["an IPv6 address in another spelling", "2001:db8:0:0::7", "d"],
    ["an IPv6 network", "2001:db8::/32", "ed"],
    ["an address with a zone", "fe80::/10", "f"],
    ["every IPv6 address", "::/0", "fed"],
    ["an address that sent nothing", "203.0.113.9", ""],
  ])("are found by %s", async (_, ip, ids) => {
    const { data } = await listEvents(workspaceId, { ip }, { now: new Date(), limit: 50 });
    expect(data.map(({ id }) => id.slice(4)).join("")).toBe(ids);
  });

  it("are counted, exported and re-delivered by the same filter", async () => {
    const filter = { ip: "192.0.2.0/24" };
    expect(await readVolume(workspaceId, filter, new Date(), { limitMs: 20_000 })).toMatchObject({ total: 2, precision: "exact" });
    expect(await listPositions(workspaceId, filter, 10, new Date())).toHaveLength(2);
    let text = "";
    for await (const piece of exportEvents(workspaceId, filter, "ndjson", new Date())) text += piece;
    expect(text.trimEnd().split("\n")).toHaveLength(2);
  });

  it("are asked for by the API's parameter ip, which takes nothing but IP addresses and networks", async () => {
    const { cookie } = await makeExampleWorld();
    expect((await callRoute("GET", "api/v1/events", { cookie }, { query: { ip: "192.0.2.0/24" } })).status).toBe(200);
    const answer = await callRoute("GET", "api/v1/events", { cookie }, { query: { ip: "192.0.2.0/33" } });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: "invalid_request",
      detail: expect.stringContaining("ip: must be an IP address or a network"),
    });
  });
});
