import { expect, it } from "vitest";
import { openEpisodes, setSnooze } from "#lib/alerts/alert-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { openAlerts } from "#lib/flows/alerts/conditions";
import { changeAlertRule, snoozeAlert } from "#lib/flows/alerts/manage-rules";
import { changeIssueState } from "#lib/flows/issues/issues";
import { alertsOf, sendDue, watch, withChannel } from "#tests/support/alerts/alerts";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { asOwner, ownerOf, receiveAndApply } from "#tests/support/forwarding/destinations";
import { useTargets } from "#tests/support/forwarding/senders";
import { noAudit } from "#tests/support/no-audit";
import { untilBlocked } from "#tests/support/other-session";
import { loseAnswerOfCommit, pauseBefore, useStatements } from "#tests/support/statements";
import { makeWorkspace } from "#tests/support/webhooks";

// Two processes, and one of them waits at the worst place.

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });
useStatements();
const { target } = useTargets();

/** An issue that has alerted, and what was told of it. */
async function failingIssue() {
  const { workspaceId, source, received } = await withChannel(target, { kind: "webhook" });
  await receiveAndApply(source, { id: "evt_1", data: { strangeId: "evt_1" } });
  await sendDue();
  const issue = (await alertsOf(workspaceId))[0]?.subject ?? "";
  const told = () => received.flatMap(({ body }) => JSON.parse(body.toString()).data.alerts.map((each: Told) => each.notification));
  return { workspaceId, issue, told };
}

type Told = { notification: string };

const failure = (workspaceId: WorkspaceId, subject: string) => ({
  ...{ workspaceId, rule: "issue" as const, subject, title: "Events fail", detail: "", path: `/issues/${subject}`, action: "View issue" },
  ...{ count: 1, unit: "failures" },
});

it("an issue that fails again between the look and the end of its alert is not told as recovered", async () => {
  const { workspaceId, issue, told } = await failingIssue();
  await changeIssueState(contextOf(ownerOf(workspaceId), { audit: noAudit }), issue, "resolve");
  let watching: Promise<void> | undefined;
  await inTransaction(pool(), async (client) => {
    await client.query("LOCK TABLE alert_episodes IN SHARE ROW EXCLUSIVE MODE");
    watching = watch();
    await untilBlocked("UPDATE alert_episodes SET closed_at%");
    await client.query("UPDATE issues SET state = 'open' WHERE id = $1", [issue]);
    await openAlerts(client, [failure(workspaceId, issue)], "added");
  });
  await watching;
  await sendDue();
  expect((await alertsOf(workspaceId)).map(({ state }) => state)).toEqual(["open"]);
  expect(told()).toEqual(["opened"]);
  // The next round looks again.
  await changeIssueState(contextOf(ownerOf(workspaceId), { audit: noAudit }), issue, "resolve");
  await watch();
  await sendDue();
  expect(told()).toEqual(["opened", "recovered"]);
});

it("an issue whose alerts ended twice, untold, and that fails again continues the newest of them", async () => {
  const { workspaceId, issue, told } = await failingIssue();
  const resolve = () => changeIssueState(contextOf(ownerOf(workspaceId), { audit: noAudit }), issue, "resolve");
  const fails = () =>
    inTransaction(pool(), async (client) => {
      await client.query("UPDATE issues SET state = 'open' WHERE id = $1", [issue]);
      await openAlerts(client, [failure(workspaceId, issue)], "added");
    });
  await resolve();
  // The round has closed the first alert and not committed: the failure waits, and opens a second one.
  const { reached, release } = pauseBefore(/INSERT INTO alert_notifications/);
  const watching = watch();
  await reached;
  const failing = fails();
  await untilBlocked("INSERT INTO alert_episodes%");
  release();
  await Promise.all([watching, failing]);
  await resolve();
  await watch();
  expect((await alertsOf(workspaceId)).map(({ state }) => state)).toEqual(["closed", "closed"]);
  await fails();
  expect((await alertsOf(workspaceId)).map(({ state }) => state).sort()).toEqual(["closed", "open"]);
  await sendDue();
  expect(told().sort()).toEqual(["opened", "opened", "recovered"]);
});

it("a state that is told a second time, unchanged, counts as seen again: a round that looked before does not end it", async () => {
  const { workspaceId, issue } = await failingIssue();
  const condition = { ...failure(workspaceId, issue), rule: "destination" as const };
  const open = () => inTransaction(pool(), (client) => openEpisodes(client, [condition], "peak"));
  await open();
  let watching: Promise<void> | undefined;
  await inTransaction(pool(), async (client) => {
    await client.query("LOCK TABLE alert_episodes IN SHARE ROW EXCLUSIVE MODE");
    watching = watch(); // no destination is in trouble
    await untilBlocked("UPDATE alert_episodes SET closed_at%");
    await openAlerts(client, [condition], "peak");
  });
  await watching;
  expect((await alertsOf(workspaceId)).map(({ rule, state }) => [rule, state])).toContainEqual(["destination", "open"]);
});

it("two people who snooze one alert at once both succeed, and the later one's snooze holds", async () => {
  const { workspaceId, issue } = await failingIssue();
  const [alert] = await alertsOf(workspaceId);
  let second: ReturnType<typeof snoozeAlert> | undefined;
  await inTransaction(pool(), async (client) => {
    await setSnooze(client, { workspaceId, rule: "issue", subject: issue }, { until: null, by: "grace@example.com" });
    second = snoozeAlert(asOwner(workspaceId), alert?.id ?? "", "1d");
    second.catch(() => undefined);
    await untilBlocked("INSERT INTO alert_snoozes%");
  });
  expect((await second)?.snoozed).toMatchObject({ by: "ada@example.com" });
  expect((await alertsOf(workspaceId))[0]?.snoozed).toMatchObject({ by: "ada@example.com", until: expect.any(String) });
  const { rows } = await pool().query<{ before: unknown }>(
    "SELECT before FROM audit_entries WHERE workspace_id = $1 AND action = 'alert.snoozed' ORDER BY id DESC LIMIT 1",
    [workspaceId],
  );
  expect(rows[0]?.before).toEqual({ snoozedUntil: "it happens again" });
});

it("an alert whose sender did not hear that it has the channel is sent at the next look, not after a minute", async () => {
  const { workspaceId, received } = await withChannel(target, { kind: "webhook" });
  await inTransaction(pool(), (client) => openAlerts(client, [failure(workspaceId, "iss_lost")], "added"));
  loseAnswerOfCommit(/UPDATE alert_channels a SET sender/);
  await expect(sendDue()).rejects.toThrow("terminated");
  expect(received).toHaveLength(0);
  await sendDue();
  expect(received).toHaveLength(1);
});

it("of two people who change one rule at once neither undoes the other", async () => {
  const { workspaceId } = await makeWorkspace();
  const change = (body: object) => changeAlertRule(asOwner(workspaceId), "source_silent", body);
  await change({ enabled: true });
  const pause = pauseBefore(/UPDATE alert_rules/);
  const first = change({ enabled: false });
  await pause.reached;
  const second = change({ muteFor: "1d" });
  await untilBlocked("SELECT%FROM alert_rules%");
  pause.release();
  await Promise.all([first, second]);
  const { rows } = await pool().query("SELECT enabled, muted_until IS NOT NULL AS muted FROM alert_rules WHERE workspace_id = $1", [
    workspaceId,
  ]);
  expect(rows).toEqual([{ enabled: false, muted: true }]);
});
