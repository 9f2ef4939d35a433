import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { openObjectStore } from "#lib/backup/object-store";
import { env, resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { readBackups } from "#lib/flows/installation/backup/read-backups";
import { runNextBackup } from "#lib/flows/installation/backup/run-backups";
import { useDatabase } from "#tests/support/database";
import { append } from "#tests/support/log-writer";
import { startS3Server } from "#tests/support/s3-server";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { makeWorkspace } from "#tests/support/webhooks";
import { startWorker } from "#tests/support/worker-process";

const database = useDatabase();

async function namesInStore(): Promise<string[]> {
  const settings = env().backup?.store;
  if (!settings) throw new Error("no store is set");
  const store = await openObjectStore(settings);
  const objects = await store.list().finally(() => store.close());
  return objects.map(({ name }) => name);
}

test("a worker that is killed between two parts leaves nothing that counts as a backup; another makes the next", async () => {
  const s3 = await startS3Server();
  onTestFinished(s3.close);
  const dataDir = temporaryFolder();
  const environment = { ...s3.environment, DATA_DIR: dataDir, BACKUP_DIR: "", BACKUP_EVERY: "1h", BACKUP_PROVE_EVERY: "0" };
  resetEnv(environment);
  const { workspaceId, sourceId } = await makeWorkspace();
  // Compressed, it is more than one part of 8 MiB.
  const events = Array.from({ length: 30 }, (_, n) => ({
    eventId: `evt_large_${n}`,
    type: "document.uploaded",
    created: 5,
    data: { documentId: `doc_${n}`, content: randomBytes(300_000).toString("base64") },
  }));
  for (const event of events) await append(workspaceId, sourceId, [event]); // together they take a slow machine seconds

  const reached = Promise.withResolvers<void>();
  s3.fault((request) => {
    if (!request.url?.includes("partNumber=2")) return false;
    reached.resolve();
    return true;
  });
  const worker = await startWorker(database.url(), environment);
  await reached.promise;
  worker.signal("SIGKILL");
  await worker.ended;
  s3.fault(null);
  expect(s3.requests().some((request) => request.startsWith("POST"))).toBe(true);
  expect(await namesInStore()).toEqual([]);
  expect((await readBackups()).data).toMatchObject([{ state: "running" }]);

  // The minute of silence passes, and the hour after a failure.
  await pool().query("UPDATE backups SET beat_at = now() - interval '61 seconds'");
  const running = new AbortController().signal;
  expect(await runNextBackup("another", running)).toBe(false);
  await pool().query("UPDATE backups SET finished_at = now() - interval '61 minutes' WHERE state = 'failed'");
  expect(await runNextBackup("another", running)).toBe(true);
  const [next, killed] = (await readBackups()).data;
  expect(killed).toMatchObject({ state: "failed", kept: false, failure: "The worker that was making it exited before it finished." });
  expect(next).toMatchObject({ state: "done", kept: true });
  expect(await namesInStore()).toEqual([next?.file]);
});
