import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { insertApiKey } from "#lib/auth/api-key-store";
import { notifySoon } from "#lib/db/notifications";
import { pool } from "#lib/db/pool";
import { appendEvents } from "#lib/ingest/log-store";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { newEvent } from "#tests/support/new-event";
import { expectPace } from "#tests/support/pace";
import { makeWorkspace } from "#tests/support/webhooks";
import { GET } from "../../../app/api/v1/feed/route.ts";

useDatabase();

const FEEDS = 500;
const PER_KEY = 50;
const EVENTS = 200;
const EVERY_MS = 25;

type Reader = { seen: Map<string, number>; close: () => void };

async function openFeed(key: string): Promise<Reader> {
  const abort = new AbortController();
  const request = new Request("http://localhost:3000/api/v1/feed", { headers: { authorization: `Bearer ${key}` }, signal: abort.signal });
  const response = await GET(request, { params: Promise.resolve({}) });
  expect(response.status).toBe(200);
  const seen = new Map<string, number>();
  const ready = Promise.withResolvers<void>();
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const text = decoder.decode(chunk as Uint8Array);
      if (text.includes("event: ready")) ready.resolve();
      for (const [, id = ""] of text.matchAll(/"id":"(evt_\w+)"/g)) seen.set(id, performance.now());
    }
  })().catch(() => undefined);
  await ready.promise; // What is appended before that frame is not in the feed.
  return { seen, close: () => abort.abort() };
}

const median = (times: number[]) => Math.round([...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0);

it(`what a browser waits beside ${FEEDS} open feeds`, async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  const keys = await Promise.all(
    Array.from(
      { length: FEEDS / PER_KEY + 1 },
      async (_, n) => (await insertApiKey(workspaceId, { name: `k${n}`, role: "viewer", createdBy: null })).key,
    ),
  );
  const browser = await openFeed(keys[0] ?? "");
  const round = async (name: string) => {
    const sent = new Map<string, number>();
    const cpu = process.cpuUsage();
    for (let n = 0; n < EVENTS; n += 1) {
      const eventId = `evt_${name}_${n}`;
      sent.set(eventId, performance.now());
      await appendEvents(pool(), [
        newEvent({ workspaceId, sourceId, eventId, type: "document.uploaded", created: 1, body: Buffer.from("{}") }),
      ]);
      notifySoon(pool(), "appended", workspaceId);
      await sleep(EVERY_MS);
    }
    await expect.poll(() => [...sent.keys()].filter((id) => !browser.seen.has(id)), { timeout: 60_000 }).toEqual([]);
    const { user, system } = process.cpuUsage(cpu);
    return {
      sent,
      waited: median([...sent].map(([id, at]) => (browser.seen.get(id) ?? 0) - at)),
      cpuMs: Math.round((user + system) / 1000),
    };
  };
  await round("warm");
  const alone = await round("alone");
  const feeds: Reader[] = [];
  for (let n = 0; n < FEEDS; n += 1) feeds.push(await openFeed(keys[1 + Math.floor(n / PER_KEY)] ?? ""));
  onTestFinished(() => {
    for (const feed of [browser, ...feeds]) feed.close();
  });
  await sleep(1000);
  const beside = await round("beside");
  await expect.poll(() => feeds.filter(({ seen }) => seen.size < EVENTS).length, { timeout: 60_000 }).toBe(0);
  expectPace(beside.waited, 3 * Math.max(alone.waited, 20));
  figure(
    `a feed's median wait for ${EVENTS} events: ${alone.waited} ms alone, ${beside.waited} ms beside ${FEEDS}; processor ${alone.cpuMs} and ${beside.cpuMs} ms`,
  );
}, 300_000);
