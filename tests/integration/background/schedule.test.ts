import { PgBoss } from "pg-boss";
import { expect, onTestFinished, test, vi } from "vitest";
import { LOOPS } from "#lib/background/loops";
import { SCHEDULED_JOBS, startSchedule } from "#lib/background/schedule";
import { pool } from "#lib/db/pool";
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

const EACH_MINUTE = "* * * * *";

test("after the database's clock was set back, a job that waits is done, and passes over the jobs go on: not only when the clock shows the same time again", async () => {
  const run = vi.fn(async () => "done");
  const job = { name: "test-job", cron: EACH_MINUTE, run };
  await (await startSchedule([job]))();
  await pool().query("UPDATE pgboss.version SET cron_on = now() + interval '3 hours'");
  await pool().query("DELETE FROM pgboss.job");
  const other = await new PgBoss({ connectionString: database.url(), supervise: false, schedule: false }).start();
  await other.send(job.name, {}, { startAfter: 3 * 3600 });
  await other.stop({ graceful: false });
  run.mockClear();
  const stop = await startSchedule([job]);
  onTestFinished(stop);
  await vi.waitFor(() => expect(run).toHaveBeenCalled(), 20_000);
  const { rows } = await pool().query("SELECT FROM pgboss.version WHERE cron_on > now()");
  expect(rows).toEqual([]);
});

test("after this process's clock was set back by weeks, jobs are passed over as before", { tags: ["deep"] }, async () => {
  const stop = await startSchedule([{ name: "test-job", cron: EACH_MINUTE, run: async () => "done" }]);
  onTestFinished(stop);
  const passedAt = async (): Promise<Date> => (await pool().query("SELECT cron_on AS at FROM pgboss.version")).rows[0].at;
  await vi.waitFor(async () => expect(await passedAt()).not.toBeNull(), 20_000);
  const first = await passedAt();
  const { now } = Date;
  vi.spyOn(Date, "now").mockImplementation(() => now() - 40 * 24 * 3_600_000);
  onTestFinished(() => void vi.restoreAllMocks());
  await vi.waitFor(async () => expect((await passedAt()).getTime()).toBeGreaterThan(first.getTime()), { timeout: 50_000, interval: 500 });
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
