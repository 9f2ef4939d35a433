import { expect } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { processEvents } from "#lib/flows/processing/process-events";
import { createSource } from "#lib/flows/sources/manage-sources";
import type { FoldableEvent } from "#lib/views/fold/plan";
import type { Registers } from "#lib/views/fold/register";
import { headersOf, OTHER_SENDERS, type OtherSender } from "#tests/chaos/other-senders";
import { onApplying, whileApplying } from "#tests/support/applying";
import { contextOf } from "#tests/support/context";
import { ownerOf } from "#tests/support/forwarding/destinations";
import { noAudit } from "#tests/support/no-audit";
import { receiveUntilKept } from "#tests/support/receive-until-kept";
import { EVERY_TRY, passOverWaiting } from "#tests/support/waiting";
import { makeWorkspace, signed } from "#tests/support/webhooks";
import type { Model } from "./model.ts";

type Made = Awaited<ReturnType<typeof makeWorkspace>>;

/**
 * The product itself, in a workspace of its own, with the means to make it fail. Two other senders send the same types about the
 * same resources, under IDs of their own: the model knows nothing of them, so they must change nothing.
 */
export class World {
  readonly workspaceId: WorkspaceId;
  private readonly made: Made;
  private readonly receiver = createReceiver();

  private constructor(made: Made) {
    this.workspaceId = made.workspaceId;
    this.made = made;
  }

  static async make(): Promise<World> {
    const made = await makeWorkspace();
    for (const { template, secret } of OTHER_SENDERS)
      await createSource(contextOf(ownerOf(made.workspaceId), { audit: noAudit }), {
        name: `${template}-${made.source}`,
        template,
        secret,
      });
    return new World(made);
  }

  /** Once a database: events that are cursed can't be applied, and a worker may die in the middle of its transaction. */
  static async prepare(): Promise<void> {
    await pool().query(`
      CREATE TABLE cursed (workspace_id text, event_id text);
      CREATE TABLE crashing (now boolean);
      CREATE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_terminate_backend(pg_backend_pid()) FROM crashing; RETURN NEW; END $$`);
    await onApplying("crash");
    await whileApplying(
      "curse",
      `IF EXISTS (SELECT 1 FROM cursed c WHERE c.workspace_id = event.workspace_id AND c.event_id = event.event_id)
       THEN RAISE EXCEPTION 'cursed' USING ERRCODE = '22000'; END IF;`,
    );
  }

  /** Sends it `times` times at once. @returns how many answers said that it is no duplicate */
  async receive(event: FoldableEvent, times: number): Promise<number> {
    const request = { source: this.made.source, ...signed(textOf(event)) };
    await Promise.all(OTHER_SENDERS.map((sender) => this.receiveOfOther(sender, event)));
    const answers = await Promise.all(Array.from({ length: times }, () => receiveUntilKept(this.receiver, request)));
    for (const { status } of answers) expect(status).toBe(200);
    return answers.filter((answer) => (JSON.parse(answer.body) as { duplicate: boolean }).duplicate === false).length;
  }

  private async receiveOfOther(sender: OtherSender, event: FoldableEvent): Promise<void> {
    const eventId = `${event.eventId}_${sender.template}`;
    const body = textOf({ ...event, eventId });
    const source = `${sender.template}-${this.made.source}`;
    const headers = headersOf(sender, eventId, event.type, body);
    const { status } = await receiveUntilKept(this.receiver, { source, headers, body });
    expect(status).toBe(200);
  }

  async process(limit: number): Promise<void> {
    await this.letTimePass("attempts = 0");
    for (let applied = 1; applied > 0; ) {
      applied = await processEvents(limit);
      await this.holdRetries();
    }
  }

  /** What waits is due, and long since: `holdRetries` leaves it alone. */
  async letTimePass(condition = "true"): Promise<void> {
    await pool().query(`UPDATE inbox SET due_at = now() - interval '1 hour' WHERE workspace_id = $1 AND ${condition}`, [this.workspaceId]);
  }

  /** What has just failed waits until time passes in the history: on a busy machine the first pause, a second, is over before that. */
  private async holdRetries(): Promise<void> {
    await pool().query(
      `UPDATE inbox SET due_at = now() + interval '1 hour'
        WHERE workspace_id = $1 AND attempts > 0 AND due_at > now() - interval '30 minutes'`,
      [this.workspaceId],
    );
  }

  /** A worker begins on what is due and dies before it commits. @returns false when nothing was due */
  async crash(): Promise<boolean> {
    await this.letTimePass("attempts = 0");
    await pool().query("INSERT INTO crashing VALUES (true)");
    const died = await processEvents(5).then(
      () => false,
      () => true,
    );
    await pool().query("DELETE FROM crashing");
    return died;
  }

  async curse(eventId: string, on: boolean): Promise<void> {
    if (on) await pool().query("INSERT INTO cursed VALUES ($1, $2)", [this.workspaceId, eventId]);
    else await pool().query("DELETE FROM cursed WHERE workspace_id = $1 AND event_id = $2", [this.workspaceId, eventId]);
  }

  /** Leaves nothing behind that another run would have to process. */
  async leave(): Promise<void> {
    await passOverWaiting(this.workspaceId);
    await pool().query("DELETE FROM cursed WHERE workspace_id = $1", [this.workspaceId]);
  }

  /** Holds everything that is stored against the model. */
  async compare(model: Model): Promise<void> {
    const { rows } = await pool().query<Stored>(
      `SELECT (SELECT jsonb_object_agg(event_id, n) FROM (SELECT event_id, count(*) AS n FROM events WHERE source_id = $2 GROUP BY 1) t) AS log,
         (SELECT jsonb_agg(e.event_id || ' ' || i.attempts) FROM (
            SELECT received_at, seq, attempts FROM inbox WHERE workspace_id = $1 UNION ALL SELECT received_at, seq, 0 FROM waiting_in_log($1)) i
            JOIN events e USING (received_at, seq) WHERE e.source_id = $2) AS inbox,
         (SELECT jsonb_agg(event_id) FROM dead_letters WHERE workspace_id = $1) AS dead,
         (SELECT jsonb_object_agg(event_id, n) FROM (SELECT e.event_id, count(*) AS n FROM ${EVERY_TRY} a JOIN events e USING (received_at, seq)
            WHERE e.source_id = $2 AND a.outcome = 'applied' GROUP BY 1) t) AS applied,
         (SELECT count(*)::int FROM (SELECT 1 FROM ${EVERY_TRY} a JOIN events e USING (received_at, seq) WHERE e.workspace_id = $1 AND e.source_id <> $2
            AND a.outcome = 'applied' GROUP BY e.event_id HAVING count(*) > 1) t) AS "othersTwice",
         (SELECT jsonb_object_agg(kind || ' ' || id, registers) FROM views WHERE workspace_id = $1) AS views`,
      [this.workspaceId, this.made.sourceId],
    );
    const [stored] = rows;
    expect(stored?.othersTwice).toBe(0);
    expect(stored?.log ?? {}).toEqual(Object.fromEntries([...model.log.keys()].map((id) => [id, 1])));
    expect((stored?.inbox ?? []).sort()).toEqual(model.inbox.map(({ eventId, attempts }) => `${eventId} ${attempts}`).sort());
    expect((stored?.dead ?? []).sort()).toEqual([...model.dead].sort());
    expect(stored?.applied ?? {}).toEqual(Object.fromEntries(model.applied));
    expect(stored?.views ?? {}).toEqual(Object.fromEntries(model.views()));
  }
}

type Stored = {
  log: Record<string, number> | null;
  inbox: string[] | null;
  dead: string[] | null;
  applied: Record<string, number> | null;
  /** Events of other senders that were applied more than once. */
  othersTwice: number;
  views: Record<string, Registers> | null;
};

const textOf = ({ eventId, ...rest }: FoldableEvent) => JSON.stringify({ id: eventId, ...rest });
