import { expect, vi } from "vitest";
import { setSnooze } from "#lib/alerts/alert-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { openAlerts } from "#lib/flows/alerts/conditions";
import { sendAlerts } from "#lib/flows/alerts/send-alerts";
import { ensureIssues } from "#lib/issues/issue-ledger-store";
import { makeChannel, watch } from "#tests/support/alerts/alerts";
import { startTarget } from "#tests/support/forwarding/target";
import { makeWorkspace } from "#tests/support/webhooks";
import { paused, type Step, step, unanswered } from "./steps.ts";

const ISSUES = [0, 1, 2, 3, 4];

/** Request that PagerDuty received. */
type Told = { alert: string; subject: string; action: string };

/** Issues that fail and are resolved, and a channel that takes one request for each alert. */
export class AlertWorld {
  readonly told: Told[] = [];
  /** Number of times a sender lost its channel to another: each may cost one repetition. */
  lapses = 0;
  private readonly workspaceId: WorkspaceId;
  private readonly channelId: string;
  private readonly close: () => Promise<void>;
  /** Called while a request is in progress. */
  private duringRequest: (() => Promise<void>) | null = null;

  private constructor(workspaceId: WorkspaceId, channelId: string, close: () => Promise<void>) {
    this.workspaceId = workspaceId;
    this.channelId = channelId;
    this.close = close;
  }

  static async make(): Promise<AlertWorld> {
    const { workspaceId } = await makeWorkspace();
    let world: AlertWorld | null = null;
    const { url, close } = await startTarget(async ({ body }, _request, response) => {
      const { dedup_key, event_action, payload } = JSON.parse(body.toString());
      world?.told.push({ alert: dedup_key, subject: payload.component, action: event_action });
      await world?.interrupt();
      response.writeHead(202).end("{}");
    });
    const { id } = await makeChannel(workspaceId, { kind: "pagerduty", url, routingKey: "0123456789abcdef" });
    world = new AlertWorld(workspaceId, id, close);
    return world;
  }

  private async interrupt(): Promise<void> {
    const what = this.duringRequest;
    this.duringRequest = null;
    await what?.();
  }

  async fail(numbers: number[]): Promise<void> {
    const ids = numbers.map((n) => this.issue(n));
    const seen = {
      workspaceId: this.workspaceId,
      origin: "processing",
      code: "code",
      type: "type",
      place: "",
      words: "",
      seenAt: new Date(),
    } as const;
    const of = {
      workspaceId: this.workspaceId,
      rule: "issue" as const,
      title: "Events fail",
      detail: "",
      path: "/issues",
      action: "View issue",
    };
    await inTransaction(pool(), async (client) => {
      await ensureIssues(
        client,
        ids.map((issueId) => ({ ...seen, issueId, eventId: "evt_1" })),
      );
      await client.query("UPDATE issues SET state = 'open' WHERE id = ANY($1)", [ids]);
      await openAlerts(
        client,
        ids.map((subject) => ({ ...of, subject, count: 1, unit: "failures" })),
        "added",
      );
    });
  }

  async resolve(numbers: number[]): Promise<void> {
    await pool().query("UPDATE issues SET state = 'resolved' WHERE id = ANY($1)", [numbers.map((n) => this.issue(n))]);
  }

  async snooze(by: string): Promise<void> {
    const key = { workspaceId: this.workspaceId, rule: "destination" as const, subject: "dst_1" };
    await inTransaction(pool(), (client) => setSnooze(client, key, { until: null, by }));
  }

  /** Lets the minute pass in which messages are gathered. */
  async due(): Promise<void> {
    await pool().query("UPDATE alert_sends SET due_at = now() - interval '1 ms' WHERE state = 'pending' AND workspace_id = $1", [
      this.workspaceId,
    ]);
  }

  async send(): Promise<void> {
    await this.due();
    await sendAlerts();
  }

  /** A sender loses its channel while a request is under way, and another process sends what it finds. */
  async sendTwice(): Promise<void> {
    let second: Promise<unknown> = Promise.resolve();
    this.duringRequest = async () => {
      this.lapses += 1;
      await this.leaseEnds();
      vi.resetModules();
      const other = await import("#lib/flows/alerts/send-alerts");
      second = other.sendAlerts();
    };
    await this.send();
    this.duringRequest = null;
    await second;
  }

  private async leaseEnds(): Promise<void> {
    await pool().query("UPDATE alert_channels SET sender_until = now() - interval '1 ms' WHERE id = $1", [this.channelId]);
  }

  /** People know how each issue stands, and have heard nothing twice but for what a lost lease costs. */
  async settle(): Promise<void> {
    for (let round = 0; round < 4; round += 1) {
      await watch({ slow: false });
      await this.leaseEnds();
      await this.send();
    }
    const { rows } = await pool().query<{ id: string; state: string }>("SELECT id, state FROM issues WHERE workspace_id = $1", [
      this.workspaceId,
    ]);
    const last = new Map(this.told.map(({ alert, subject, action }) => [alert, { subject, action }]));
    for (const { id, state } of rows) {
      const open = [...last.values()].filter(({ subject, action }) => subject === id && action === "trigger").length;
      expect(open, `incidents that people believe to be open of an issue that is ${state}`).toBe(state === "open" ? 1 : 0);
    }
    const once = new Set(this.told.map(({ alert, action }) => `${alert} ${action}`)).size;
    expect(this.told.length - once, "alerts that were told again").toBeLessThanOrEqual(this.lapses);
    await this.close();
    await pool().query("UPDATE alert_channels SET deleted_at = now() WHERE id = $1", [this.channelId]);
  }

  private issue(n: number): string {
    return `iss_${this.workspaceId}_${n}`;
  }
}

const failOne = (n: number) => step<AlertWorld>(`issue ${n} fails`, (world) => world.fail([n]));
const resolveOne = (n: number) => step<AlertWorld>(`issue ${n} is resolved`, (world) => world.resolve([n]));
const failAll = step<AlertWorld>("all issues fail", (world) => world.fail(ISSUES));
const resolveAll = step<AlertWorld>("all issues are resolved", (world) => world.resolve(ISSUES));
const look = step<AlertWorld>("a round looks", () => watch({ slow: false }));
const send = step<AlertWorld>("a sender sends", (world) => world.send());
const snoozeBy = (who: string) => step<AlertWorld>(`${who} snoozes`, (world) => world.snooze(who));

/** The look finds that the issue is over, and before its alert is closed the issue fails again. */
const failsWhileOneLooks = step<AlertWorld>("issue 0 alerts, is resolved, and fails again while a round looks", async (world) => {
  await world.fail([0]);
  await world.resolve([0]);
  await paused(look, /UPDATE alert_episodes SET closed_at/, failOne(0)).run(world);
});

export const ALERT_STEPS: Step<AlertWorld>[] = [
  failOne(0),
  failOne(1),
  failAll,
  resolveOne(0),
  resolveAll,
  look,
  send,
  step("a sender loses its channel to another", (world) => world.sendTwice()),
  failsWhileOneLooks,
  paused(look, /alert-notifications-write|INSERT INTO alert_notifications/, failAll),
  paused(failAll, /INSERT INTO alert_episodes/, look),
  paused(send, /UPDATE alert_sends SET state = 'sent'/, look),
  paused(snoozeBy("Ada"), /INSERT INTO alert_snoozes/, snoozeBy("Grace")),
  unanswered(send, /UPDATE alert_channels a SET sender/),
  unanswered(send, /UPDATE alert_sends SET state = 'sent'/),
  unanswered(send, /UPDATE alert_sends SET attempts = attempts - 1/),
  unanswered(look, /UPDATE alert_episodes SET closed_at/),
  unanswered(failAll, /INSERT INTO alert_episodes/),
];
