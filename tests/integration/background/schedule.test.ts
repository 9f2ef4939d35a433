import { PgBoss } from "pg-boss";
import { expect, onTestFinished, test, vi } from "vitest";
import { LOOPS } from "#lib/background/loops";
import { startSchedule } from "#lib/background/schedule";
import { SCHEDULED_JOBS } from "#lib/background/scheduled-jobs";
import { findLastHeartbeat, markAlive, markGone } from "#lib/processing/heartbeat-store";
import { useDatabase } from "#tests/support/database";
import { expectPace } from "#tests/support/pace";

const database = useDatabase();

test("a job on the clock is done by one of the workers, once", { tags: ["deep"] }, async () => {
  const run = vi.fn(async () => "done");
  const job = { name: "test-job", cron: "0 0 1 1 *", run };
  const stops = [await startSchedule([job]), await startSchedule([job])];
  onTestFinished(async () => void (await Promise.all(stops.map((stop) => stop()))));
  const clock = await new PgBoss({ connectionString: database.url(), supervise: false, schedule: false }).start();
  onTestFinished(() => clock.stop({ graceful: false }));
  await clock.send(job.name);
  await vi.waitFor(() => expect(run).toHaveBeenCalled(), 30_000);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(run).toHaveBeenCalledTimes(1);
});

test("a job that can't be put on the clock fails the start, which can then be tried again", async () => {
  const job = { name: "test-job", cron: "never", run: async () => "done" };
  await expect(startSchedule([job])).rejects.toThrow(/Validation error/);
  await (await startSchedule([{ ...job, cron: "0 0 1 1 *" }]))();
});

test.each(SCHEDULED_JOBS)("the job $name runs on an empty installation", async ({ run }) => {
  await run();
});

test("a worker's sign of life is the newest of all, until it ends in good order", async () => {
  expect(await findLastHeartbeat()).toBeNull();
  await markAlive();
  expect((await findLastHeartbeat())?.silentMs).toBeLessThan(60_000);
  await markGone();
  expect(await findLastHeartbeat()).toBeNull();
});

test("every loop ends within a second of being told to", async () => {
  const abort = new AbortController();
  const ended = Promise.all(LOOPS.map(({ run }) => run(abort.signal)));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const since = performance.now();
  abort.abort();
  await ended;
  expectPace(performance.now() - since, 1000);
});
