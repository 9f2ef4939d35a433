import { afterEach, describe, expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { type OperationControl, runClaimed } from "#lib/flows/operations/operations";
import { insertOperation } from "#lib/operations/operation-store";
import { useDatabase } from "#tests/support/database";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const BY = { requestedBy: "ada@example.com" };

describe("the end of an operation", () => {
  const finished = { outcome: "finished", report: { all: "done" } } as const;
  afterEach(() => pool().query("DROP FUNCTION IF EXISTS refuse CASCADE"));

  /** Each write to an operation that meets the condition fails. */
  async function refuseWrites(condition: string): Promise<void> {
    await pool().query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF ${condition} THEN RAISE EXCEPTION 'refused'; END IF; RETURN NEW; END $$`);
    await pool().query("CREATE TRIGGER refuse BEFORE UPDATE ON operations FOR EACH ROW EXECUTE FUNCTION refuse()");
  }

  /** Runs work that ends well. @returns how the operation stands then */
  async function run() {
    const { workspaceId } = await makeWorkspace();
    const { operation } = await insertOperation(workspaceId, { kind: "release", ...BY, runner: "run_1" });
    const claimed = { ...operation, workspaceId, done: 0, total: 0, checkpoint: null };
    const work = async (_: unknown, { onProgress }: OperationControl) => {
      onProgress({ phase: "last", done: 1, total: 1 });
      return finished;
    };
    const ended = await runClaimed(claimed, "run_1", work, { signal: new AbortController().signal }).catch((error: Error) => error.message);
    const { rows } = await pool().query("SELECT state, report, failure FROM operations WHERE id = $1", [operation.id]);
    return { ended, stored: rows[0] };
  }

  const WELL = { ended: finished, stored: { state: "done", report: finished.report, failure: null } };

  it("is noted as it was when its last sign of life fails", async () => {
    await refuseWrites("NEW.phase = 'last' AND NEW.state = 'running'");
    expect(await run()).toEqual(WELL);
  });

  it("is noted as it was when the database refuses that at first", async () => {
    await pool().query("CREATE SEQUENCE tries");
    await refuseWrites("NEW.state = 'done' AND nextval('tries') = 1");
    expect(await run()).toEqual(WELL);
  });
});
