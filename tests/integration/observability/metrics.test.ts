import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { withRequestIp } from "#lib/http/request-head";
import { countWork } from "#lib/observability/metrics";
import { markAlive, markGone } from "#lib/processing/heartbeat-store";
import { makeAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { until } from "#tests/support/forwarding/senders";
import { drainInbox } from "#tests/support/log-writer";
import { beginWith } from "#tests/support/other-session";
import { useNodeReceiver } from "#tests/support/receivers";
import { passOverWaiting } from "#tests/support/waiting";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";
import { GET as watch } from "../../../app/api/v1/feed/route.ts";
import { GET } from "../../../app/metrics/route.ts";

// The handler is called without Next, which alone knows of a request's scope.
vi.mock("next/server", () => ({ connection: async () => undefined }));

useDatabase();
const receiver = useNodeReceiver();

const PROMTOOL = "/usr/bin/promtool";
const METRICS_PAGE = path.resolve(import.meta.dirname, "../../../docs/metrics.md");

let minutes = 0;

const askFromThisMachine = (authorization?: string) => withRequestIp("127.0.0.1", () => ask(authorization), true);
const ask = (authorization?: string) =>
  GET(new Request("http://localhost:3000/metrics", { headers: authorization === undefined ? {} : { authorization } }));

/** A scrape that is not answered from the last one: a minute later, says the clock. */
async function scrapeOnce(): Promise<string> {
  minutes += 1;
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now() + minutes * 60_000);
  const answer = await askFromThisMachine();
  clock.mockRestore();
  return answer.text();
}

/** The same, again while the database did not give its figures in time, as on a busy machine. */
const scrape = () => until(scrapeOnce, (text) => readSeries(text, "signalbox_database_up") === 1 && text.includes("signalbox_inbox_depth"));

/** The value of one line of a scrape; 0 when it is not there. */
const readSeries = (text: string, series: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.split(" ")
      .at(-1) ?? 0,
  );

describe("/metrics", () => {
  it("answers the names that docs/metrics.md explains, all of them and no other", async () => {
    const answered = [...(await scrape()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    const documented = [...readFileSync(METRICS_PAGE, "utf8").matchAll(/^\| `(signalbox_\w+)/gm)].map(([, name]) => name);
    expect(documented.length).toBeGreaterThan(30);
    expect(documented.toSorted()).toEqual(answered.toSorted());
  });

  it.skipIf(!existsSync(PROMTOOL))("answers what promtool calls clean", async () => {
    const input = await scrape();
    // prom-client names two of its own runtime metrics `_total` although they are gauges.
    const said = spawnSync(PROMTOOL, ["check", "metrics"], { input, encoding: "utf8" }).stderr.trim().split("\n").filter(Boolean);
    expect(said.filter((line) => !line.startsWith("signalbox_nodejs_"))).toEqual([]);
  });

  it("explains every outcome of a webhook that the receiver can count", async () => {
    const documentation = readFileSync(METRICS_PAGE, "utf8");
    const { source } = await makeWorkspace();
    await receiver.send(source, signed(envelope()));
    await receiver.send(source, { body: envelope(), headers: {} });
    await receiver.send("nobody", signed(envelope()));
    await receiver.send(source, { method: "GET" });
    await receiver.send(source, signed("not json"));
    const outcomes = [...(await scrape()).matchAll(/^signalbox_webhook_requests_total\{outcome="(\w+)"\}/gm)].map(([, outcome]) => outcome);
    expect(outcomes.length).toBeGreaterThanOrEqual(5);
    for (const outcome of outcomes) expect(documentation.includes(`\`${outcome}\``), `${outcome} is explained`).toBe(true);
  });

  it("answers programs on this machine alone, and says so to others", async () => {
    expect((await askFromThisMachine()).status).toBe(200);
    for (const refused of [await ask(), await withRequestIp("203.0.113.9", () => ask()), await ask("Bearer anything")]) {
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({ code: "metrics_not_public", detail: expect.stringContaining("METRICS_TOKEN") });
    }
  });

  it("answers whoever sends METRICS_TOKEN, once it is set, and nobody else", async () => {
    const token = "a-token-that-only-the-tests-know";
    resetEnv({ METRICS_TOKEN: token });
    expect((await ask(`Bearer ${token}`)).status).toBe(200);
    for (const wrong of [undefined, "", token, "Bearer", `Bearer ${token}x`, `Basic ${token}`]) {
      const refused = await askFromThisMachine(wrong);
      expect(refused.status, String(wrong)).toBe(401);
      expect(refused.headers.get("www-authenticate")).toContain("Bearer");
      expect(await refused.text()).not.toContain(token);
    }
  });

  it("counts open feeds up and down", async () => {
    const { cookie } = await makeAccount();
    const open = async () => {
      const leaving = new AbortController();
      const request = new Request("http://localhost:3000/api/v1/feed", { headers: { cookie }, signal: leaving.signal });
      const answer = await watch(request, { params: Promise.resolve({}) });
      await answer.body?.getReader().read();
      return leaving;
    };
    const feeds = async () => readSeries(await scrape(), "signalbox_open_feeds");
    expect(await feeds()).toBe(0);
    const [one, two] = [await open(), await open()];
    expect(await feeds()).toBe(2);
    one.abort();
    await vi.waitFor(async () => expect(await feeds()).toBe(1), 30_000);
    two.abort();
    await vi.waitFor(async () => expect(await feeds()).toBe(0), 30_000);
  });

  it("tells what waits, since when, what died, and how many events shared a commit", async () => {
    const { source } = await makeWorkspace();
    await passOverWaiting();
    const groups = readSeries(await scrape(), "signalbox_commit_group_size_sum");
    const acknowledged = readSeries(await scrape(), "signalbox_webhook_acknowledgement_seconds_count");
    const answers = await Promise.all(Array.from({ length: 40 }, () => receiver.send(source, signed(envelope()))));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await receiver.send(source, signed(envelope({ data: {} })));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const before = await scrape();
    expect(readSeries(before, "signalbox_inbox_depth")).toBe(41);
    expect(readSeries(before, "signalbox_inbox_lag_seconds")).toBeGreaterThanOrEqual(1);
    expect(readSeries(before, "signalbox_commit_group_size_sum") - groups).toBe(41);
    expect(readSeries(before, "signalbox_webhook_acknowledgement_seconds_count") - acknowledged).toBe(41);
    await drainInbox();
    const after = await scrape();
    expect(readSeries(after, "signalbox_inbox_depth")).toBe(0);
    expect(readSeries(after, "signalbox_inbox_lag_seconds")).toBe(0);
    expect(readSeries(after, "signalbox_dead_letters")).toBe(1);
    expect(readSeries(after, "signalbox_database_up")).toBe(1);
    expect(readSeries(after, "signalbox_database_bytes")).toBeGreaterThan(1_000_000);
  });

  it("counts the connections by state, and the sources that a missing key locks", async () => {
    const { workspaceId } = await makeWorkspace();
    const before = await scrape();
    expect(readSeries(before, "signalbox_locked_sources")).toBe(0);
    const connected = 'signalbox_connections{state="needs_reauthorization"}';
    expect(readSeries(before, connected)).toBe(0);
    await pool().query(
      "INSERT INTO connections (id, workspace_id, name, state, required_scopes, granted_scopes) VALUES ('con_lost', $1, 'Lost', 'needs_reauthorization', '{}', '{}')",
      [workspaceId],
    );
    await pool().query("UPDATE source_secrets SET key_id = 'gone' WHERE workspace_id = $1", [workspaceId]);
    const after = await scrape();
    expect(readSeries(after, connected)).toBe(1);
    expect(readSeries(after, "signalbox_locked_sources")).toBe(1);
    await pool().query("DELETE FROM source_secrets WHERE workspace_id = $1", [workspaceId]);
  });

  it("answers the rest while what waits can't be counted within a second", async () => {
    const holder = await beginWith("LOCK TABLE dead_letters IN ACCESS EXCLUSIVE MODE");
    // A scrape that takes two seconds in all says that there is no database.
    let text = "";
    await expect
      .poll(async () => {
        text = await scrapeOnce();
        return readSeries(text, "signalbox_database_up");
      })
      .toBe(1);
    await holder.end();
    expect(readSeries(text, "signalbox_database_bytes")).toBeGreaterThan(1_000_000);
    expect(text).not.toContain("signalbox_inbox_depth");
    expect(await scrape()).toContain("signalbox_inbox_depth");
  });

  it("brings out what the workers counted, with their signs of life, and never counts backwards when they go", async () => {
    const applied = async () => readSeries(await scrape(), "signalbox_events_applied_total");
    await markAlive();
    const start = await applied();
    countWork({ events_applied: 5 });
    expect(await applied()).toBe(start);
    await markAlive();
    expect(await applied()).toBe(start + 5);
    expect(readSeries(await scrape(), "signalbox_workers_alive")).toBe(1);
    countWork({ events_applied: 2 });
    await markGone();
    expect(await applied()).toBe(start + 7);
    expect(readSeries(await scrape(), "signalbox_workers_alive")).toBe(0);
    // Another worker that fell silent for hours, and one that was only taken for gone and comes back.
    await pool().query(
      `INSERT INTO worker_heartbeats (id, seen_at, counters) VALUES ('silent', now() - interval '2 hours', '{"events_applied": 100}')`,
    );
    expect(await applied()).toBe(start + 107);
    await markAlive();
    expect(await applied()).toBe(start + 107);
    countWork({ events_applied: 1 });
    await markAlive();
    expect(await applied()).toBe(start + 108);
    await markGone();
  });
});
