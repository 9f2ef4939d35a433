import { beforeEach, describe, expect, it } from "vitest";
import { resetEnv } from "#lib/config/env";
import type { AlertRuleKind } from "#lib/contracts/alerts";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { changeAlertRule } from "#lib/flows/alerts/manage-rules";
import { resumeDestination } from "#lib/flows/forwarding/destinations";
import { readOverview } from "#lib/flows/overview/read-overview";
import { redeliverEvent } from "#lib/flows/processing/redeliver-events";
import { countRejectedWithin } from "#lib/quarantine/quarantine-store";
import { saveSigningSecret } from "#lib/sandbox/sandbox-store";
import { alertsOf, makeChannel, sendDue, watch } from "#tests/support/alerts/alerts";
import { useMailServer } from "#tests/support/alerts/mail-server";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { applyAll, asOwner, makeDestination, receive, receiveAndApply } from "#tests/support/forwarding/destinations";
import { startSenders, until, useTargets } from "#tests/support/forwarding/senders";
import { receiveUntilKept } from "#tests/support/receive-until-kept";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });
const { open, target } = useTargets();

const mail = useMailServer();

/** A workspace that is told of one rule alone, by email. */
async function world(rule: AlertRuleKind) {
  const made = await makeWorkspace();
  const to = `${made.workspaceId}@example.com`;
  await makeChannel(made.workspaceId, { kind: "email", recipients: [to], rules: [rule] });
  return { ...made, mails: () => mail.mails.filter((each) => each.to.includes(to)) };
}

type World = Awaited<ReturnType<typeof world>>;

/** Sends what is due. @returns the subjects of all that arrived so far */
async function subjects({ mails }: World): Promise<string[]> {
  await sendDue();
  return mails().map(({ subject }) => subject);
}

/** The same after a round of the watch. */
async function afterRound(here: World): Promise<string[]> {
  await watch();
  return subjects(here);
}

const states = async (workspaceId: WorkspaceId) => (await alertsOf(workspaceId)).map(({ rule, state }) => [rule, state]);

describe("each rule fires and recovers by its real cause", () => {
  it("issue: an event that can't be applied opens it, and its success after all ends it", async () => {
    const here = await world("issue");
    await receiveAndApply(here.source, { id: "evt_1", data: { strangeId: "doc_1" } });
    expect(await subjects(here)).toEqual([expect.stringMatching(/^Acme: Events fail: .*has no document ID/)]);
    const [first] = here.mails();
    expect(first?.text).toContain("1 failure.");
    expect(first?.text).toMatch(/View issue: http:\/\/localhost:3000\/issues\/iss_/);
    await receiveAndApply(here.source, { id: "evt_2", data: { strangeId: "doc_2" } });
    expect(await subjects(here)).toHaveLength(1);
    const { FIELD_NAMES } = await import("#lib/platform/field-names");
    const names = FIELD_NAMES.documentId as unknown as string[];
    names.push("strangeId");
    for (const id of ["evt_1", "evt_2"]) await redeliverEvent(here.workspaceId, id, "ada@example.com");
    await applyAll();
    names.pop();
    expect(await afterRound(here)).toEqual([expect.anything(), expect.stringMatching(/^Acme: Recovered after .*has no document ID/)]);
    expect(here.mails()[1]?.text).toContain("At most 2 failures");
    await receiveAndApply(here.source, { id: "evt_3", data: { strangeId: "doc_3" } });
    expect(await subjects(here)).toHaveLength(3);
    expect(await states(here.workspaceId)).toEqual([
      ["issue", "open"],
      ["issue", "closed"],
    ]);
  });

  it("issue: limited to types of events, beginnings among them, failures of others alert nobody, and neither does a rule about none", async () => {
    const here = await world("issue");
    const limit = (kind: AlertRuleKind, types: string[]) => changeAlertRule(asOwner(here.workspaceId), kind, { types });
    expect(await limit("issue", ["task.*", "task.*"])).toMatchObject({ types: ["task.*"], threshold: null });
    await receiveAndApply(here.source, { id: "evt_1", data: { strangeId: "doc_1" } });
    expect(await subjects(here)).toEqual([]);
    expect(await states(here.workspaceId)).toEqual([]);
    await receiveAndApply(here.source, { id: "evt_2", type: "task.created", data: {} });
    expect(await subjects(here)).toEqual([expect.stringMatching(/^Acme: Events fail: task.created/)]);
    await limit("issue", []);
    await receiveAndApply(here.source, { id: "evt_3", data: { strangeId: "doc_1" } });
    expect(await subjects(here)).toHaveLength(2);
    await expect(limit("no_worker", ["task.*"])).rejects.toThrow("types: This rule is about no types of events.");
  });

  it("destination: a suspension fires, and a resume ends it", async () => {
    const here = await world("destination");
    const { url } = await target((_received, _request, response) => response.writeHead(410).end());
    const { id } = await makeDestination(here.workspaceId, { url, name: "Billing" });
    open.push(startSenders());
    await receiveAndApply(here.source);
    await until(
      () => states(here.workspaceId),
      (found) => found.length === 1,
    );
    expect(await subjects(here)).toEqual(["Acme: Billing is suspended: nothing is sent to it"]);
    expect(here.mails()[0]?.text).toContain("answered 410 Gone");
    await resumeDestination(asOwner(here.workspaceId), id, "none");
    expect(await afterRound(here)).toEqual([expect.anything(), expect.stringMatching(/^Acme: Recovered after .*Billing is suspended/)]);
  });

  it("destination: a delivery that is given up fires, and its re-delivery ends it", async () => {
    const here = await world("destination");
    let status = 500;
    const { url } = await target((_received, _request, response) => response.writeHead(status).end());
    const { id } = await makeDestination(here.workspaceId, { url, name: "Archive" });
    open.push(startSenders());
    await receiveAndApply(here.source);
    await until(
      () =>
        pool().query(
          "UPDATE forward_deliveries SET attempts = 9, due_at = now() - interval '1 second' WHERE destination_id = $1 AND state = 'pending'",
          [id],
        ),
      ({ rowCount }) => rowCount === 0,
    );
    expect(await subjects(here)).toEqual(["Acme: Deliveries to Archive are exhausted"]);
    expect(here.mails()[0]?.text).toContain("1 delivery exhausted");
    status = 200;
    await pool().query(
      "UPDATE forward_deliveries SET state = 'pending', attempts = 0, due_at = now() - interval '1 second' WHERE destination_id = $1",
      [id],
    );
    await until(
      () => pool().query("SELECT 1 FROM forward_deliveries WHERE destination_id = $1 AND state = 'delivered'", [id]),
      ({ rowCount }) => rowCount === 1,
    );
    expect(await afterRound(here)).toEqual([expect.anything(), expect.stringMatching(/^Acme: Recovered after .*Archive are exhausted/)]);
  });

  it("source silent: as the detection of missing events says", async () => {
    const here = await world("source_silent");
    await pool().query(
      `INSERT INTO missing_events (id, workspace_id, resource_kind, resource_id, rule, state, evidence, detail, since, due_at, opened_at)
       VALUES ($1, $2, 'source', $3, 'source_silent', 'open', '{}', 'Its latest events arrived about 5 minutes apart.', now(), now(), now())`,
      [`mis_${here.workspaceId}`, here.workspaceId, here.sourceId],
    );
    expect(await afterRound(here)).toEqual([`Acme: The source ${here.source} is silent`]);
    await pool().query("UPDATE missing_events SET state = 'closed' WHERE workspace_id = $1", [here.workspaceId]);
    expect(await afterRound(here)).toHaveLength(2);
  });

  it("rejected requests: as many as the threshold within 15 minutes, and half of it ends it", async () => {
    const here = await world("rejected_requests");
    await pool().query("INSERT INTO alert_rules (workspace_id, kind, threshold) VALUES ($1, 'rejected_requests', 4)", [here.workspaceId]);
    const { createReceiver } = await import("#lib/flows/ingest/receiver");
    const receiver = createReceiver();
    const reject = () => receiveUntilKept(receiver, { source: here.source, headers: { "x-webhook-signature": "00" }, body: "{}" });
    for (let n = 0; n < 3; n += 1) expect((await reject()).status).toBe(401);
    expect(await afterRound(here)).toEqual([]);
    await reject();
    expect(await afterRound(here)).toEqual(["Acme: Rejected requests are rising"]);
    expect(here.mails()[0]?.text).toContain("4 requests in 15 minutes");
    expect(here.mails()[0]?.text).toContain(`are arriving at ${here.source}.`);
    // What a paused source holds is not rejected.
    await pool().query("UPDATE quarantine SET reason = 'source_paused' WHERE workspace_id = $1", [here.workspaceId]);
    expect((await countRejectedWithin(15)).filter(({ source }) => source === here.source)).toEqual([]);
    await pool().query("UPDATE quarantine SET reason = 'signature_malformed' WHERE workspace_id = $1", [here.workspaceId]);
    const age = (keep: number) =>
      pool().query(
        "UPDATE quarantine SET received_at = now() - interval '16 minutes' WHERE workspace_id = $1 AND id NOT IN (SELECT id FROM quarantine WHERE workspace_id = $1 ORDER BY id LIMIT $2)",
        [here.workspaceId, keep],
      );
    await age(2);
    expect(await afterRound(here)).toHaveLength(1);
    await age(1);
    expect(await afterRound(here)).toHaveLength(2);
  });

  it("processing lag: an event that waits longer than the threshold, until it is applied", async () => {
    const here = await world("processing_lag");
    await receive(here.source);
    expect(await afterRound(here)).toEqual([]);
    await pool().query("INSERT INTO alert_rules (workspace_id, kind, threshold) VALUES ($1, 'processing_lag', 0)", [here.workspaceId]);
    expect(await afterRound(here)).toEqual([expect.stringMatching(/^Acme: Events wait longer than/)]);
    await applyAll();
    expect(await afterRound(here)).toHaveLength(2);
  });

  it("no worker alive: after the threshold, until one is seen", async () => {
    const here = await world("no_worker");
    await watch({ workerSilentMs: 59_000 });
    expect(await subjects(here)).toEqual([]);
    await watch({ workerSilentMs: 61_000 });
    expect(await subjects(here)).toEqual(["Acme: No worker is running"]);
    await watch({ workerSilentMs: 0 });
    expect(await subjects(here)).toEqual([expect.anything(), expect.stringMatching(/^Acme: Recovered after .*No worker is running/)]);
  });

  it("vault key missing: while something is sealed with a key that is not there", async () => {
    const here = await world("vault_key");
    // Secrets that an earlier sandbox sealed are in no workspace that could be alerted.
    await saveSigningSecret("sandbox", "whsec_of_the_sandbox");
    resetEnv({ VAULT_KEYS: `k2:${Buffer.alloc(32, 9).toString("base64")}` });
    await watch();
    await pool().query("DELETE FROM sandbox_signing_secrets");
    expect(await subjects(here)).toEqual(["Acme: A vault key is missing: k1"]);
    resetEnv({ VAULT_KEYS: TEST_ENV.VAULT_KEYS });
    expect(await afterRound(here)).toHaveLength(2);
  });

  it("retention late: while an event that was to be deleted a day ago is still there", async () => {
    const here = await world("backup_late");
    await pool().query("UPDATE workspaces SET retention_days = 1 WHERE id = $1", [here.workspaceId]);
    await receiveAndApply(here.source);
    await pool()
      .query("UPDATE workspaces SET retention_days = -60 WHERE id = $1", [here.workspaceId])
      .catch(() => undefined);
    await watch();
    const late = (await subjects(here)).filter((each) => each.includes("overdue"));
    expect(late).toEqual(["Acme: Deleting expired events is overdue"]);
    await pool().query("UPDATE workspaces SET retention_days = 90 WHERE id = $1", [here.workspaceId]);
    expect(await afterRound(here)).toHaveLength(2);
  });
});

describe("rules about backups", () => {
  beforeEach(async () => {
    await pool().query("DELETE FROM backups");
    await pool().query("DELETE FROM backup_proofs");
    resetEnv({
      ...{
        BACKUP_DIR: "/tmp/signalbox-no-backups",
        BACKUP_EVERY: "1h",
        BACKUP_S3_URL: "s3://backups/a",
        BACKUP_S3_ENDPOINT: "http://127.0.0.1:9",
      },
      ...{
        BACKUP_S3_ACCESS_KEY_ID: "key",
        BACKUP_S3_SECRET_ACCESS_KEY: "secret",
        BACKUP_KEY: `b1:${Buffer.alloc(32, 9).toString("base64")}`,
      },
    });
  });

  /** `alerts`: titles and states of the rule's alerts after a round; `conditions`: the overview's lines. */
  async function backupWorld(rule: AlertRuleKind) {
    const { workspaceId } = await world(rule);
    return {
      alerts: async () => {
        await watch();
        const found = await alertsOf(workspaceId);
        return found.filter((each) => each.rule === rule).map(({ title, state }) => [title, state]);
      },
      conditions: async () => (await readOverview(workspaceId, new Date())).conditions.map(({ sentence }) => sentence),
    };
  }

  const backup = (id: string, hoursAgo: number, failure: string | null) =>
    pool().query(
      `INSERT INTO backups (id, state, requested, started_at, finished_at, store, stored, failure)
       VALUES ($1, 'done', true, now() - $2 * interval '1 hour', now(), 's3://backups/a', true, $3)`,
      [id, hoursAgo, failure],
    );

  const proof = (id: string, state: string, failure: string | null) =>
    pool().query(
      `INSERT INTO backup_proofs (id, state, file, database, dropped, runner, finished_at, failure)
       VALUES ($1, $2, 'x', 'y', true, 'worker', now(), $3)`,
      [id, state, failure],
    );

  it("backup late: without a good backup for twice the interval, until there is one", async () => {
    const here = await backupWorld("backup_late");
    await pool().query("UPDATE _prisma_migrations SET finished_at = finished_at - interval '3 hours'");
    expect(await here.alerts()).toEqual([["The backup is overdue", "open"]]);
    await backup("bak_1", 0, null);
    expect(await here.alerts()).toEqual([["The backup is overdue", "closed"]]);
  });

  it("backup late: while the files are good and none reaches the store for twice the interval, until one does", async () => {
    const here = await backupWorld("backup_late");
    const line = "Backups are made, but are not reaching the store. Owners and admins can see why in Settings > Backups.";
    await backup("bak_1", 1, "The store failed.");
    expect(await here.alerts()).toEqual([]);
    await pool().query("UPDATE backups SET started_at = now() - interval '3 hours'");
    await backup("bak_2", 0, "The store failed.");
    expect(await here.alerts()).toEqual([["Backups are not reaching the store", "open"]]);
    expect(await here.conditions()).toContain(line);
    await pool().query("UPDATE backups SET failure = NULL WHERE id = 'bak_2'");
    expect(await here.alerts()).toEqual([["Backups are not reaching the store", "closed"]]);
    expect(await here.conditions()).not.toContain(line);
  });

  it("test restore of a backup failed: until one is good", async () => {
    const here = await backupWorld("backup_proof");
    const line = "The latest test restore of a stored backup failed. Owners and admins can see why in Settings > Backups.";
    await backup("bak_1", 0, null);
    expect(await here.alerts()).toEqual([]);
    await proof("bkp_1", "failed", "The sealed backup is damaged.");
    expect(await here.alerts()).toEqual([["The test restore of a backup failed", "open"]]);
    expect(await here.conditions()).toContain(line);
    await proof("bkp_2", "done", null);
    expect(await here.alerts()).toEqual([["The test restore of a backup failed", "closed"]]);
    expect(await here.conditions()).not.toContain(line);
  });
});
