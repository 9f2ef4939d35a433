import { rmSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { closePools, pool } from "#lib/db/pool";
import { makeBackup } from "#lib/flows/installation/backup/make-backup";
import { examineBackup, restoreBackup } from "#lib/flows/installation/backup/restore-backup";
import { rebuildOutdated } from "#lib/flows/views/rebuild-outdated";
import { claimOperation, insertOperation, listOperations } from "#lib/operations/operation-store";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { makeOpenFolder } from "#tests/support/open-folder";
import { useSecondCluster } from "#tests/support/second-cluster";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();
const second = useSecondCluster();
const quiet = { now: new Date(), signal: new AbortController().signal, onProgress: () => {} };

test("a restored database runs nothing by itself that waited or ran then: it is stopped, with the reason, and may be resumed", async () => {
  const { workspaceId } = await makeWorkspace();
  await insertOperation(workspaceId, { kind: "rebuild", requestedBy: "ada" });
  await insertOperation(workspaceId, { kind: "release", requestedBy: "ada", runner: "a worker that is gone" });
  const folder = makeOpenFolder("signalbox-under-way-");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "all.backup");
  await makeBackup(file, quiet);
  const url = await second.createDatabase();
  await restoreBackup(url, file, await examineBackup(file, quiet), quiet);
  await closePools();
  resetEnv({ ...TEST_ENV, DATABASE_URL: url });

  expect(await claimOperation("rebuild", "a worker")).toBeNull();
  const stopped = { state: "stopped", failure: expect.stringContaining("restored from. Resume it"), canResume: true };
  for (const kind of ["rebuild", "release"] as const)
    expect((await listOperations(workspaceId, kind, { limit: 10 })).data).toMatchObject([stopped]);

  // An update's own rebuild is asked for again, if the records still need it: nobody stopped that one.
  await pool().query("INSERT INTO view_folds (workspace_id, fold) VALUES ($1, 0)", [workspaceId]);
  await pool().query("UPDATE operations SET requested_by = 'Signalbox (update)' WHERE kind = 'rebuild'");
  expect(await rebuildOutdated(new Date())).toBe(1);
});
