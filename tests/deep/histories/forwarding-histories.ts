import { expect } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { retryDelivery } from "#lib/flows/forwarding/deliveries";
import { beginClaim, claimRanges, giveBackRanges } from "#lib/processing/log-range-store";
import { contextOf } from "#tests/support/context";
import { applyAll, makeDestination, ownerOf, receive } from "#tests/support/forwarding/destinations";
import { startOneSender } from "#tests/support/forwarding/one-sender";
import { until } from "#tests/support/forwarding/senders";
import { startTarget } from "#tests/support/forwarding/target";
import { pauseBefore } from "#tests/support/statements";
import { makeWorkspace } from "#tests/support/webhooks";
import { paused, type Step, step, unanswered } from "./steps.ts";

/** Events on their way to an application that works and fails. */
export class ForwardingWorld {
  private status = 200;
  private requests = 0;
  private arrived = 0;
  private readonly workspaceId: WorkspaceId;
  private readonly source: string;
  private destination = "";
  private close: () => Promise<void> = async () => undefined;
  /** A destination that keeps the order of each subject, and what it was sent. */
  private ordered: { id: string; sent: () => unknown[]; close: () => Promise<void> } | null = null;

  private constructor(workspaceId: WorkspaceId, source: string) {
    this.workspaceId = workspaceId;
    this.source = source;
  }

  static async make(): Promise<ForwardingWorld> {
    const { workspaceId, source } = await makeWorkspace();
    const world = new ForwardingWorld(workspaceId, source);
    const { url, close } = await startTarget((_received, _request, response) => {
      world.requests += 1;
      response.writeHead(world.status).end();
    });
    world.close = close;
    world.destination = (await makeDestination(workspaceId, { url })).id;
    return world;
  }

  /** From now on the application answers so. */
  async answerWith(status: number): Promise<void> {
    this.status = status;
  }

  async receive(): Promise<void> {
    await this.arrive({ id: `evt_${this.arrived++}` });
    await applyAll();
  }

  /** Comes again where the receiver had no time, as the platform's webhooks do. */
  private async arrive(event: Record<string, unknown>): Promise<void> {
    const isStored = () =>
      receive(this.source, event).then(
        () => true,
        (error: Error) => {
          if (!error.message.endsWith("503")) throw error;
          return false;
        },
      );
    await until(isStored, Boolean, 60_000);
  }

  /** Each delivery that waits is tried once, by one process. */
  async send(): Promise<void> {
    await pool().query("UPDATE destinations SET state = 'active', failures_in_row = 0 WHERE id = $1", [this.destination]);
    await pool().query(
      "UPDATE forward_deliveries SET due_at = now() - interval '1 second' WHERE destination_id = $1 AND state = 'pending'",
      [this.destination],
    );
    const sender = await startOneSender(this.destination);
    const due = async () => {
      await sender.update();
      const suspended = "EXISTS (SELECT FROM destinations d WHERE d.id = destination_id AND d.state <> 'active')";
      return this.count(`state = 'pending' AND due_at <= now() AND NOT ${suspended}`);
    };
    await until(due, (count) => count === 0);
    await sender.stop();
  }

  /** A person retries what waits. */
  async retry(): Promise<void> {
    const { rows } = await pool().query<{ id: number }>(
      "SELECT id FROM forward_deliveries WHERE destination_id = $1 AND state = 'pending'",
      [this.destination],
    );
    const actor = ownerOf(this.workspaceId);
    for (const { id } of rows)
      await retryDelivery(contextOf(actor), `dlv_${id}`).catch((error: Error) => {
        if (!/already being sent/.test(error.message)) throw error;
      });
  }

  private async makeOrdered() {
    const { url, received, close } = await startTarget();
    const { id } = await makeDestination(this.workspaceId, { url, ordered: true, types: ["task.created"] });
    this.ordered = { id, sent: () => received.map(({ headers }) => headers["signalbox-event-id"]), close };
    return this.ordered;
  }

  /** Two events of a subject arrive while a sender looks at what is due, and the worker of the first is slower. */
  async overtake(): Promise<void> {
    const { id, sent } = this.ordered ?? (await this.makeOrdered());
    const subject = sent().length;
    const arrives = (name: string, taskId: string) => this.arrive({ id: `evt_${subject}_${name}`, type: "task.created", data: { taskId } });
    await arrives("other", `task_${subject}_other`);
    await applyAll();
    const pause = pauseBefore(/WITH RECURSIVE waits/);
    const sender = await startOneSender(id);
    await pause.reached;
    await arrives("first", `task_${subject}`);
    const slow = await pool("worker").connect();
    await slow.query("BEGIN");
    const claim = await beginClaim(slow);
    await until(
      () => claimRanges(claim, { workspaceIds: [this.workspaceId], limit: 10, share: 10 }),
      (claimed) => claimed === 1,
    );
    await arrives("second", `task_${subject}`);
    await applyAll();
    pause.release();
    await until(
      () => sent().length,
      (count) => count > subject,
    );
    await slow.query("ROLLBACK");
    slow.release();
    await giveBackRanges([claim]);
    await applyAll();
    const look = async () => {
      await sender.update();
      return sent().length;
    };
    await until(look, (count) => count >= subject + 3);
    await sender.stop();
    const ofSubject = sent().filter((event) => !String(event).endsWith("other"));
    expect(ofSubject.slice(-2), "sent in order").toEqual([`evt_${subject}_first`, `evt_${subject}_second`]);
  }

  async useUpAttempts(): Promise<void> {
    await pool().query("UPDATE forward_deliveries SET attempts = 9 WHERE destination_id = $1 AND state = 'pending'", [this.destination]);
  }

  /** Expects that what a person has just retried is not given up. */
  async expectNoneExhausted(): Promise<void> {
    expect(await this.count("state = 'exhausted'"), "deliveries given up").toBe(0);
  }

  /** Everything arrives, and each request is an attempt once. */
  async settle(): Promise<void> {
    this.status = 200;
    for (let round = 0; round < 3; round += 1) await this.send();
    const { rows } = await pool().query<{ attempts: number; counted: number; tries: number }>(
      `SELECT (SELECT count(*)::int FROM forward_attempts WHERE destination_id = d.id) AS attempts,
         (d.attempts_delivered + d.attempts_failed)::int AS counted,
         (SELECT coalesce(sum(tries), 0)::int FROM forward_deliveries WHERE destination_id = d.id) AS tries FROM destinations d WHERE d.id = $1`,
      [this.destination],
    );
    const { requests } = this;
    expect(rows[0], "attempts of as many requests").toEqual({ attempts: requests, counted: requests, tries: requests });
    await this.close();
    await this.ordered?.close();
    await pool().query("UPDATE destinations SET deleted_at = now() WHERE workspace_id = $1", [this.workspaceId]);
  }

  private async count(condition: string): Promise<number> {
    const { rows } = await pool().query<{ n: number }>(
      `SELECT count(*)::int AS n FROM forward_deliveries WHERE destination_id = $1 AND ${condition}`,
      [this.destination],
    );
    return rows[0]?.n ?? 0;
  }
}

const RECORDING = /INSERT INTO forward_attempts/;

const send = step<ForwardingWorld>("a sender sends", (world) => world.send());
const retry = step<ForwardingWorld>("a person retries", (world) => world.retry());
const retryInFlight = paused(send, RECORDING, retry);

export const FORWARDING_STEPS: Step<ForwardingWorld>[] = [
  step("an event is received", (world) => world.receive()),
  send,
  retry,
  step("the application fails", (world) => world.answerWith(500)),
  step("the application works", (world) => world.answerWith(200)),
  unanswered(send, RECORDING),
  step("of two events that arrive while a sender looks the second is applied first", (world) => world.overtake()),
  step("a person retries while the last attempt is in flight", async (world) => {
    await world.receive();
    await world.useUpAttempts();
    await world.answerWith(500);
    await retryInFlight.run(world);
    await world.expectNoneExhausted();
  }),
];
