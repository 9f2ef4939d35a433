import { describe, expect, it } from "vitest";
import { openEpisodes } from "#lib/alerts/alert-store";
import { claimMessage, writeNotifications } from "#lib/alerts/notification-store";
import type { AlertRuleKind } from "#lib/contracts/alerts";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { sendAlerts, sendOver } from "#lib/flows/alerts/send-alerts";
import { alertsOf, makeChannel, sendDue } from "#tests/support/alerts/alerts";
import { useDatabase } from "#tests/support/database";
import { useTargets } from "#tests/support/forwarding/senders";
import { makeWorkspace } from "#tests/support/webhooks";

// A channel of PagerDuty takes one request for each alert.

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });
const { target } = useTargets();

type Answer = { status?: number; before?: () => Promise<unknown> };

/** A PagerDuty channel and the subjects that it was told of. @param answer by the number of the request, from 1 */
async function world(answer: (request: number, subject: string) => Answer = () => ({})) {
  const { workspaceId } = await makeWorkspace();
  const told: string[] = [];
  const { url } = await target(async ({ body }, _request, response) => {
    const subject: string = JSON.parse(body.toString()).payload.component;
    told.push(subject);
    const { status = 202, before } = answer(told.length, subject);
    await before?.();
    response.writeHead(status).end("{}");
  });
  const { id } = await makeChannel(workspaceId, { kind: "pagerduty", url, routingKey: "0123456789abcdef0123456789abcdef" });
  return { workspaceId, id, told };
}

/** Opens an alert of each subject, as if everything had been gathered for a minute. */
async function open(workspaceId: WorkspaceId, subjects: string[], rule: AlertRuleKind = "destination"): Promise<void> {
  const conditions = subjects.map((subject) => ({
    ...{ workspaceId, rule, subject, title: `${subject} fails`, detail: "", path: "/", action: "View", count: null, unit: null },
  }));
  await inTransaction(pool(), async (client) => writeNotifications(client, await openEpisodes(client, conditions, "peak")));
  await pool().query("UPDATE alert_sends SET due_at = now() - interval '1 ms' WHERE attempts = 0 AND workspace_id = $1", [workspaceId]);
}

const subjects = (count: number, prefix = "dst") => Array.from({ length: count }, (_, n) => `${prefix}_${String(n).padStart(3, "0")}`);

const statesOf = async (workspaceId: WorkspaceId) =>
  Object.fromEntries((await alertsOf(workspaceId)).map(({ subject, sends }) => [subject, `${sends[0]?.state} ${sends[0]?.attempts}`]));

const leaseEnds = (id: string) => pool().query("UPDATE alert_channels SET sender_until = now() - interval '1 second' WHERE id = $1", [id]);

describe("a channel that takes one request for each alert", () => {
  it("has each alert recorded as it arrives; a sender whose lease has passed to another stops, and none is sent twice", async () => {
    let other: Awaited<ReturnType<typeof claimMessage>> = null;
    const made = await world((request) => ({
      before: async () => {
        if (request !== 3) return;
        await leaseEnds(made.id);
        other = await claimMessage("als_other", made.id);
      },
    }));
    await open(made.workspaceId, subjects(6));
    // One sender alone: of the others of this process one might take the channel between the end of its lease and the claim.
    expect(await sendOver(made.id)).toBe(true);
    expect(made.told).toHaveLength(3);
    const first = made.told.slice(0, 2);
    const taken = (other as Awaited<ReturnType<typeof claimMessage>>)?.sends.map(({ subject }) => subject);
    expect(taken).toHaveLength(4);
    expect(taken).not.toContain(first[0]);
    expect(taken).not.toContain(first[1]);
    const states = await statesOf(made.workspaceId);
    expect(made.told.map((subject) => states[subject]?.split(" ")[0])).toEqual(["sent", "sent", "sent"]);
    // The other one dies; the next takes up what is left.
    await leaseEnds(made.id);
    await sendAlerts();
    expect(made.told).toHaveLength(6);
    expect(new Set(made.told).size).toBe(6);
  });

  it("keeps its sender's lease for as long as alerts arrive", async () => {
    const left: number[] = [];
    const made = await world((request) => ({
      before: async () => {
        const { rows } = await pool().query<{ s: number }>(
          "SELECT extract(epoch FROM sender_until - clock_timestamp())::float8 AS s FROM alert_channels WHERE id = $1",
          [made.id],
        );
        left.push(rows[0]?.s ?? 0);
        // As if this request had taken nearly as long as the lease lasts.
        if (request === 1)
          await pool().query("UPDATE alert_channels SET sender_until = sender_until - interval '50 seconds' WHERE id = $1", [made.id]);
      },
    }));
    await open(made.workspaceId, subjects(2));
    await sendAlerts();
    expect(left[1]).toBeGreaterThan(30);
  });

  it("is told the gravest first, then the newest, also of what has come up behind 250 that wait", { tags: ["deep"] }, async () => {
    const made = await world();
    await open(made.workspaceId, subjects(125, "older"), "issue");
    await pool().query("UPDATE alert_episodes SET opened_at = opened_at - interval '1 hour' WHERE workspace_id = $1", [made.workspaceId]);
    await open(made.workspaceId, subjects(125, "newer"), "issue");
    await open(made.workspaceId, ["installation"], "no_worker");
    await open(made.workspaceId, ["dst_1"]);
    await sendAlerts();
    expect(made.told.slice(0, 2)).toEqual(["installation", "dst_1"]);
    expect(made.told.slice(2).map((subject) => subject.slice(0, 5))).toEqual([...Array(125).fill("newer"), ...Array(125).fill("older")]);
  });

  it("is told what comes up while 60 are sent before most of them", async () => {
    const made = await world((request) => ({
      before: async () => void (request === 5 && (await open(made.workspaceId, ["now"], "no_worker"))),
    }));
    await open(made.workspaceId, subjects(60), "issue");
    await sendAlerts();
    expect(made.told).toHaveLength(61);
    expect(made.told.indexOf("now")).toBeLessThan(30);
    expect(Object.values(await statesOf(made.workspaceId))).toEqual(Array(61).fill("sent 1"));
  });

  it("holds up no alert behind one that it refuses", async () => {
    const made = await world((_request, subject) => ({ status: subject === "dst_001" ? 400 : 202 }));
    await open(made.workspaceId, ["dst_000"], "issue");
    await open(made.workspaceId, ["dst_001"]);
    await sendAlerts();
    expect(made.told).toEqual(["dst_001", "dst_000"]);
    expect(await statesOf(made.workspaceId)).toEqual({ dst_000: "sent 1", dst_001: "pending 1" });
  });

  it("is asked once while it is down, and everything is sent once it is back", async () => {
    let status = 503;
    const made = await world(() => ({ status }));
    await open(made.workspaceId, subjects(60));
    await sendAlerts();
    expect(made.told).toHaveLength(1);
    expect(new Set(Object.values(await statesOf(made.workspaceId)))).toEqual(new Set(["pending 1"]));
    status = 202;
    await sendDue();
    expect(made.told).toHaveLength(61);
    expect(new Set(Object.values(await statesOf(made.workspaceId)))).toEqual(new Set(["sent 2"]));
  });
});
