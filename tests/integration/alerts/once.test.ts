import { describe, expect, it } from "vitest";
import { claimMessage } from "#lib/alerts/notification-store";
import { resetEnv } from "#lib/config/env";
import type { AlertFilter } from "#lib/contracts/alert-rules";
import type { SnoozeFor } from "#lib/contracts/alerts";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { changeAlertRule, snoozeAlert, snoozeIssue } from "#lib/flows/alerts/manage-rules";
import { readAlerts } from "#lib/flows/alerts/read-alerts";
import { sendHeartbeat, standIn, watchRound } from "#lib/flows/alerts/watch-alerts";
import { changeIssueState } from "#lib/flows/issues/issues";
import { markAlive } from "#lib/processing/heartbeat-store";
import { alertsOf, makeChannel, sendDue, watch, withChannel } from "#tests/support/alerts/alerts";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { asOwner, ownerOf, receiveAndApply } from "#tests/support/forwarding/destinations";
import { useTargets } from "#tests/support/forwarding/senders";
import { noAudit } from "#tests/support/no-audit";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });
const { target } = useTargets();

/** A workspace whose alerts go to a target, and what was told there: `opened`, `recovered` ... of each rule. */
async function world() {
  const { received, ...made } = await withChannel(target, { kind: "webhook" });
  const told = () =>
    received.flatMap(({ body }) =>
      JSON.parse(body.toString()).data.alerts.map(({ notification, rule }: Record<string, string>) => `${notification} ${rule}`),
    );
  return { ...made, received, told };
}

async function setConnections(workspaceId: WorkspaceId, state: "needs_reauthorization" | "connected", count = 1): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await pool().query(
      `INSERT INTO connections (id, workspace_id, name, state, required_scopes, granted_scopes) VALUES ($1, $2, $3, $4, '{}', '{}')
       ON CONFLICT (id) DO UPDATE SET state = excluded.state`,
      [`${workspaceId}_${n}`, workspaceId, `Account ${n}`, state],
    );
  await watch();
}

const fail = async (source: string, id: string) => {
  await receiveAndApply(source, { id, data: { strangeId: id } });
};

/** A round of the watch, and what is due is sent. */
const round = async () => {
  await watch();
  await sendDue();
};

const tomorrow = () =>
  pool().query("UPDATE alert_episodes SET remind_at = remind_at - interval '1 day', opened_at = opened_at - interval '1 day'");

describe("sent once", () => {
  it("what happens within a minute is one message that says all, after it, and by several senders nothing is sent twice", async () => {
    const { workspaceId, received, told } = await world();
    await setConnections(workspaceId, "needs_reauthorization", 3);
    await watch();
    const { rows } = await pool().query<{ s: number }>(
      "SELECT DISTINCT extract(epoch FROM s.due_at - n.at)::int AS s FROM alert_sends s JOIN alert_notifications n ON n.id = s.notification_id WHERE s.workspace_id = $1",
      [workspaceId],
    );
    expect(rows).toEqual([{ s: 60 }]);
    await Promise.all(Array.from({ length: 5 }, sendDue));
    await round();
    expect(received).toHaveLength(1);
    expect(told()).toEqual(["opened connection", "opened connection", "opened connection"]);
    expect(JSON.parse(received[0]?.body.toString() ?? "").data.summary).toBe("Acme: 3 alerts. Account 0 needs to be reconnected");
  });

  it("what flaps is one message that ends in recovered", async () => {
    const { workspaceId, received, told } = await world();
    for (let n = 0; n < 4; n += 1) {
      await setConnections(workspaceId, "needs_reauthorization");
      await setConnections(workspaceId, "connected");
    }
    await sendDue();
    expect(received).toHaveLength(1);
    expect(told()).toEqual(["recovered connection"]);
    await setConnections(workspaceId, "needs_reauthorization");
    await sendDue();
    for (let n = 0; n < 4; n += 1) {
      await setConnections(workspaceId, "connected");
      await setConnections(workspaceId, "needs_reauthorization");
    }
    await setConnections(workspaceId, "connected");
    await sendDue();
    await sendDue();
    expect(told()).toEqual(["recovered connection", "opened connection", "recovered connection"]);
    expect((await alertsOf(workspaceId)).map(({ state }) => state)).toEqual(["closed", "closed"]);
  });

  it("what alerts again and again about one subject is one line of a grouped list, with how often and since when", async () => {
    const { workspaceId } = await world();
    await setConnections(workspaceId, "needs_reauthorization", 2);
    for (let n = 0; n < 3; n += 1) {
      await sendDue();
      await setConnections(workspaceId, "connected");
      await sendDue();
      await setConnections(workspaceId, "needs_reauthorization");
    }
    const read = async (filter: AlertFilter) => (await readAlerts(workspaceId, filter, { limit: 1 })).data;
    const all = await alertsOf(workspaceId);
    const flapping = all.filter(({ subject }) => subject === `${workspaceId}_0`);
    expect(flapping.map(({ state, times }) => [state, times])).toEqual([
      ["open", 4],
      ["closed", 4],
      ["closed", 4],
      ["closed", 4],
    ]);
    const [first, next] = [await readAlerts(workspaceId, { grouped: true }, { limit: 1 }), await read({ grouped: true, state: "closed" })];
    expect(first.data).toEqual([flapping[0]]);
    expect(first.data[0]).toMatchObject({ times: 4, firstOpenedAt: flapping.at(-1)?.openedAt });
    const rest = await readAlerts(workspaceId, { grouped: true }, { limit: 1, cursor: first.nextCursor ?? "" });
    expect([rest.data.map(({ subject, times }) => [subject, times]), rest.nextCursor, next]).toEqual([[[`${workspaceId}_1`, 1]], null, []]);
    expect(await readAlerts(workspaceId, { rule: "connection", subject: `${workspaceId}_0` }, { limit: 20 })).toMatchObject({
      data: flapping,
    });
  });

  it("a crash after the transition and before the message: exactly one is sent", async () => {
    const { workspaceId, source, told } = await world();
    await fail(source, "evt_1");
    // A sender claims it and dies without a word.
    const { rows } = await pool().query<{ id: string }>("SELECT id FROM alert_channels WHERE workspace_id = $1", [workspaceId]);
    await pool().query("UPDATE alert_sends SET due_at = now() - interval '1 second' WHERE workspace_id = $1", [workspaceId]);
    expect((await claimMessage("als_dead", rows[0]?.id))?.sends).toHaveLength(1);
    await sendDue();
    expect(told()).toEqual([]); // the channel is the dead one's for a minute
    await pool().query("UPDATE alert_channels SET sender_until = now() - interval '1 second' WHERE workspace_id = $1", [workspaceId]);
    for (let n = 0; n < 3; n += 1) {
      await round();
    }
    expect(told()).toEqual(["opened issue"]);
  });

  it("a transition that is rolled back tells nobody; the one that is committed is told once", async () => {
    const { workspaceId, told } = await world();
    const { openAlerts } = await import("#lib/flows/alerts/conditions");
    const condition = {
      ...{ workspaceId, rule: "destination" as const, subject: "dst_1", title: "Down", detail: "", path: "/destinations/dst_1" },
      ...{ action: "View", count: 1, unit: "deliveries held" },
    };
    await inTransaction(pool(), async (client) => {
      await openAlerts(client, [condition], "peak");
      throw new Error("crash");
    }).catch(() => undefined);
    await sendDue();
    expect(told()).toEqual([]);
    await Promise.all(Array.from({ length: 8 }, () => inTransaction(pool(), (client) => openAlerts(client, [condition], "peak"))));
    await sendDue();
    expect(told()).toEqual(["opened destination"]);
  });

  it("it is repeated daily while it is open, and told over the same channels when it is over", async () => {
    const { workspaceId, received, told } = await world();
    await setConnections(workspaceId, "needs_reauthorization");
    await sendDue();
    await tomorrow();
    await watch();
    await round();
    expect(told()).toEqual(["opened connection", "reminder connection"]);
    expect(JSON.parse(received[1]?.body.toString() ?? "").data.summary).toBe(
      "Acme: Still open after 1 d: Account 0 needs to be reconnected",
    );
    const late = await target();
    await makeChannel(workspaceId, { kind: "webhook", name: "Later", url: late.url });
    await setConnections(workspaceId, "connected");
    await sendDue();
    expect(told()).toEqual(["opened connection", "reminder connection", "recovered connection"]);
    expect(late.received).toHaveLength(0);
  });
});

describe("quiet", () => {
  it("a muted rule and one that is off say nothing; what is still open is told when they speak again", async () => {
    const { workspaceId, told } = await world();
    const set = (body: Parameters<typeof changeAlertRule>[2]) => changeAlertRule(asOwner(workspaceId), "connection", body);
    expect(await set({ muteFor: "1h" })).toMatchObject({ mutedBy: "ada@example.com", enabled: true });
    await setConnections(workspaceId, "needs_reauthorization");
    await sendDue();
    expect(told()).toEqual([]);
    await set({ muteFor: "none", enabled: false });
    await round();
    expect(told()).toEqual([]);
    await setConnections(workspaceId, "connected");
    await setConnections(workspaceId, "needs_reauthorization");
    await set({ enabled: true });
    await round();
    expect(told()).toEqual(["opened connection"]);
  });

  it("a snoozed issue says nothing for an hour, then that it is open; its end is told to those who know", async () => {
    const { workspaceId, source, told } = await world();
    await fail(source, "evt_1");
    const issue = (await alertsOf(workspaceId))[0]?.subject ?? "";
    await pool().query("DELETE FROM alert_episodes WHERE workspace_id = $1", [workspaceId]);
    const owner = ownerOf(workspaceId);
    const snooze = (lasts: SnoozeFor, now = new Date()) => snoozeIssue(contextOf(owner, { now }), issue, lasts);
    expect((await snooze("1h")).snoozed).toMatchObject({ by: "ada@example.com", until: expect.any(String) });
    await fail(source, "evt_2");
    await round();
    expect(told()).toEqual([]);
    expect((await alertsOf(workspaceId))[0]).toMatchObject({ state: "open", snoozed: { by: "ada@example.com" } });
    await snooze("1h", new Date(Date.now() - 3_600_001));
    await round();
    expect(told()).toEqual(["opened issue"]);
    await snooze("1d");
    await tomorrow();
    await round();
    expect(told()).toEqual(["opened issue"]);
    await changeIssueState(contextOf(ownerOf(workspaceId), { audit: noAudit }), issue, "resolve");
    await round();
    expect(told()).toEqual(["opened issue", "recovered issue"]);
  });

  it("snoozed until it recurs: reminders are silent, and the next failure is told", async () => {
    const { workspaceId, source, told } = await world();
    await fail(source, "evt_1");
    await sendDue();
    const id = (await alertsOf(workspaceId))[0]?.id ?? "";
    expect(await snoozeAlert(asOwner(workspaceId), id, "recurrence")).toEqual({
      snoozed: { until: null, by: "ada@example.com" },
    });
    await tomorrow();
    await round();
    expect(told()).toEqual(["opened issue"]);
    await fail(source, "evt_2");
    await sendDue();
    expect(told()).toEqual(["opened issue", "reminder issue"]);
    expect((await alertsOf(workspaceId))[0]).toMatchObject({ count: 2, snoozed: null });
  });

  it("nobody is reminded of an issue that somebody has acknowledged, and nobody hears of an ignored one", async () => {
    const { workspaceId, source, told } = await world();
    await fail(source, "evt_1");
    await sendDue();
    const issue = (await alertsOf(workspaceId))[0]?.subject ?? "";
    await changeIssueState(contextOf(ownerOf(workspaceId), { audit: noAudit }), issue, "acknowledge");
    await tomorrow();
    await round();
    expect(told()).toEqual(["opened issue"]);
    await changeIssueState(contextOf(ownerOf(workspaceId), { audit: noAudit }), issue, "ignore");
    await watch();
    await fail(source, "evt_2");
    await sendDue();
    expect(told()).toEqual(["opened issue", "recovered issue"]);
  });
});

describe("while no worker is alive", () => {
  it("a web process watches and sends, not before a worker beside it has had its time to start", async () => {
    const { workspaceId, told } = await world();
    await pool().query("DELETE FROM worker_heartbeats");
    const asWeb = async (aliveMs: number) => {
      const stood = await standIn(aliveMs, watchRound());
      await pool().query("UPDATE alert_sends SET due_at = now() - interval '1 second' WHERE state = 'pending'");
      return stood;
    };
    expect(await asWeb(10_000)).toBe(false);
    expect(await asWeb(61_000)).toBe(true);
    expect(await asWeb(66_000)).toBe(true);
    expect(told()).toEqual(["opened no_worker"]);
    await markAlive();
    expect(await asWeb(90_000)).toBe(false);
    await watchRound()();
    await sendDue();
    expect(told()).toEqual(["opened no_worker", "recovered no_worker"]);
    expect(await alertsOf(workspaceId)).toHaveLength(1);
  });
});

describe("HEARTBEAT_URL", () => {
  it("is asked once a minute while the installation is well, and not while it isn't", async () => {
    const { url, received } = await target();
    resetEnv({ HEARTBEAT_URL: url });
    await pool().query("UPDATE alert_episodes SET closed_at = now() WHERE closed_at IS NULL");
    await pool().query("UPDATE alert_channels SET failing_since = NULL");
    expect(await Promise.all([sendHeartbeat(), sendHeartbeat(), sendHeartbeat()])).toEqual(expect.arrayContaining(["sent", "not_due"]));
    expect(received).toHaveLength(1);
    const minutePasses = () => pool().query("UPDATE alert_watch SET heartbeat_at = now() - interval '1 minute'");
    await minutePasses();
    expect(await sendHeartbeat()).toBe("sent");
    const { workspaceId } = await makeWorkspace();
    await watch({ workerSilentMs: 61_000 });
    await minutePasses();
    expect(await sendHeartbeat()).toBe("silent");
    await watch();
    await minutePasses();
    expect(await sendHeartbeat()).toBe("sent");
    expect(received).toHaveLength(3);
    expect(workspaceId).toBeTruthy();
  });
});
