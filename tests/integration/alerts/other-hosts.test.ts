import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { changeAlertChannel, testAlertChannel } from "#lib/flows/alerts/manage-channels";
import { makeChannel } from "#tests/support/alerts/alerts";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { ownerOf } from "#tests/support/forwarding/destinations";
import { useTargets } from "#tests/support/forwarding/senders";
import type { Received } from "#tests/support/forwarding/target";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });
const { target } = useTargets();

const bodyOf = (received: Received) => JSON.parse(received.body.toString());

describe("A URL of another host", () => {
  const KEY = "0123456789abcdef";

  it("needs PagerDuty's integration key again: the sealed one is never posted there", async () => {
    const { workspaceId } = await makeWorkspace();
    const [first, other] = [await target(), await target()];
    const { id } = await makeChannel(workspaceId, { kind: "pagerduty", url: first.url, routingKey: KEY });
    const owner = ownerOf(workspaceId);
    const change = (body: Record<string, unknown>) => changeAlertChannel(contextOf(owner), id, body);
    await expect(change({ url: other.url })).rejects.toMatchObject({ status: 400, errors: [{ path: "routingKey" }] });
    await testAlertChannel(contextOf(owner), id);
    expect([first.received.length, other.received.length]).toEqual([2, 0]);
    await change({ url: new URL("/elsewhere", first.url).href });
    await change({ url: other.url, routingKey: "fedcba9876543210" });
    await testAlertChannel(contextOf(owner), id);
    expect(other.received.map((each) => bodyOf(each).routing_key)).toEqual(["fedcba9876543210", "fedcba9876543210"]);
  });

  it("needs a webhook's signing secret again, which then signs", async () => {
    const { workspaceId } = await makeWorkspace();
    const [first, other] = [await target(), await target()];
    const { id } = await makeChannel(workspaceId, { kind: "webhook", url: first.url });
    const owner = ownerOf(workspaceId);
    const change = (body: Record<string, unknown>) => changeAlertChannel(contextOf(owner), id, body);
    await expect(change({ url: other.url })).rejects.toMatchObject({ status: 400, errors: [{ path: "secret" }] });
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    await change({ url: other.url, secret });
    await testAlertChannel(contextOf(owner), id);
    const [sent] = other.received;
    expect(new Webhook(secret).verify(sent?.body.toString() ?? "", sent?.headers as Record<string, string>)).toMatchObject({
      type: "alerts",
    });
    await expect(change({ routingKey: KEY })).rejects.toMatchObject({ errors: [{ path: "routingKey" }] });
  });
});
