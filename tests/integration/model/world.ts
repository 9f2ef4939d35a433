import { expect } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { receiveWebhook } from "#lib/flows/ingest/receive-webhook";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { processEvents } from "#lib/flows/processing/process-events";
import type { FoldableEvent } from "#lib/views/fold/plan";
import type { Registers } from "#lib/views/fold/register";
import { onApplying, whileApplying } from "#tests/support/applying";
import { EVERY_TRY, passOverWaiting } from "#tests/support/waiting";
import { makeWorkspace, signed } from "#tests/support/webhooks";
import type { Model } from "./model.ts";

/** The product itself, in a workspace of its own, with the means to make it fail. */
export class World {
  readonly workspaceId: WorkspaceId;
  private readonly source: string;
  private readonly receiver = createReceiver();

  private constructor(workspaceId: WorkspaceId, source: string) {
    this.workspaceId = workspaceId;
    this.source = source;
  }

  static async make(): Promise<World> {
    const { workspaceId, source } = await makeWorkspace();
    return new World(workspaceId, source);
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
    const { body, headers } = signed(textOf(event));
    const request = { source: this.source, method: "POST", headers, body: Buffer.from(body), remoteAddress: null };
    const answers = await Promise.all(Array.from({ length: times }, () => receiveWebhook(this.receiver, request)));
    for (const { status } of answers) expect(status).toBe(200);
    return answers.filter((answer) => (JSON.parse(answer.body) as { duplicate: boolean }).duplicate === false).length;
  }

  async process(limit: number): Promise<void> {
    await this.letTimePass("attempts = 0");
    while ((await processEvents(limit)) > 0);
  }

  async letTimePass(condition = "true"): Promise<void> {
    await pool().query(`UPDATE inbox SET due_at = now() - interval '1 second' WHERE workspace_id = $1 AND ${condition}`, [
      this.workspaceId,
    ]);
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
      `SELECT (SELECT jsonb_object_agg(event_id, n) FROM (SELECT event_id, count(*) AS n FROM events WHERE workspace_id = $1 GROUP BY 1) t) AS log,
         (SELECT jsonb_agg(e.event_id || ' ' || i.attempts) FROM (
            SELECT received_at, seq, attempts FROM inbox WHERE workspace_id = $1 UNION ALL SELECT received_at, seq, 0 FROM waiting_in_log($1)) i
            JOIN events e USING (received_at, seq)) AS inbox,
         (SELECT jsonb_agg(event_id) FROM dead_letters WHERE workspace_id = $1) AS dead,
         (SELECT jsonb_object_agg(event_id, n) FROM (SELECT e.event_id, count(*) AS n FROM ${EVERY_TRY} a JOIN events e USING (received_at, seq)
            WHERE a.workspace_id = $1 AND a.outcome = 'applied' GROUP BY 1) t) AS applied,
         (SELECT jsonb_object_agg(kind || ' ' || id, registers) FROM views WHERE workspace_id = $1) AS views`,
      [this.workspaceId],
    );
    const [stored] = rows;
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
  views: Record<string, Registers> | null;
};

const textOf = ({ eventId, ...rest }: FoldableEvent) => JSON.stringify({ id: eventId, ...rest });
