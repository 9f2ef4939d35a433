import { describe, expect, it, onTestFinished, vi } from "vitest";
import { insertApiKey } from "#lib/auth/api-key-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { FeedFrame } from "#lib/contracts/events/events";
import { dispatchHere } from "#lib/db/notifications";
import { pool } from "#lib/db/pool";
import { findFeedEnd, readFeed, readListenPage } from "#lib/events/feed-store";
import { watchFeed } from "#lib/flows/events/watch-feed";
import { useDatabase } from "#tests/support/database";
import { beginWith } from "#tests/support/other-session";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";
import { GET } from "../../../../app/api/v1/feed/route.ts";

useDatabase();
const receiver = useNodeReceiver();

const insert = (workspaceId: WorkspaceId, sourceId: string, eventId: string): [string, string[]] => [
  `INSERT INTO events (received_at, seq, workspace_id, source_id, event_id, type, created, recognised, signature_form, secret_id, body, headers)
   VALUES (now(), nextval('events_seq'), $1, $2, $3, 'document.uploaded', 1, true, 'raw', 'sec', '{}', '{}')`,
  [workspaceId, sourceId, eventId],
];

/** Reads frames until `count` events have come. */
async function take(feed: AsyncGenerator<FeedFrame>, count: number): Promise<{ id: string; cursor: string }[]> {
  const events: { id: string; cursor: string }[] = [];
  for await (const frame of feed) {
    if (frame.event === "appended") events.push({ id: frame.data.id, cursor: frame.id });
    if (events.length === count) break;
  }
  return events;
}

describe("the feed", () => {
  it("misses no event when transactions commit out of order, and shows none twice", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    let cursor = await findFeedEnd();
    const slow = await beginWith(...insert(workspaceId, sourceId, "slow"));
    await pool().query(...insert(workspaceId, sourceId, "fast"));
    const seen: string[] = [];
    const poll = async () => {
      for (const { id, event } of (await readFeed(workspaceId, cursor, 10)).events) {
        cursor = id;
        seen.push(event.id);
      }
    };
    await poll();
    expect(seen).toEqual([]); // a plain "seq > N" would show "fast" here and skip "slow" for ever
    await slow.end();
    await poll();
    await poll();
    expect(seen).toEqual(["slow", "fast"]);
  });

  it("loses nothing under concurrent writers while it is read", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    let cursor = await findFeedEnd();
    const seen: string[] = [];
    let writing = true;
    const writers = Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let n = 0; n < 50; n += 1) {
          const appending = await beginWith(...insert(workspaceId, sourceId, `${writer}-${n}`));
          if (n % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 3));
          await appending.end();
        }
      }),
    ).then(() => {
      writing = false;
    });
    for (let last = false; !last; ) {
      last = !writing;
      for (const { id, event } of (await readFeed(workspaceId, cursor, 100)).events) {
        cursor = id;
        seen.push(event.id);
      }
    }
    await writers;
    expect(seen).toHaveLength(300);
    expect(new Set(seen).size).toBe(300);
  });

  it("brings an event that is received while it watches, and resumes from a cursor with nothing missed", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const watching = new AbortController();
    const feed = watchFeed(workspaceId, null, watching.signal, async () => true);
    expect((await feed.next()).value).toMatchObject({ event: "ready" });
    const taken = take(feed, 1);
    await receiver.send(source, signed(envelope({ id: "evt_live" })));
    const [first] = await taken;
    expect(first?.id).toBe("evt_live");
    for (const id of ["evt_away_1", "evt_away_2"]) await receiver.send(source, signed(envelope({ id })));
    const resumed = await take(
      watchFeed(workspaceId, first?.cursor ?? null, watching.signal, async () => true),
      2,
    );
    expect(resumed.map(({ id }) => id)).toEqual(["evt_away_1", "evt_away_2"]);
    watching.abort();
  });

  it("says of one that resumed when it has brought all that there was, so that a tab can end its own feed", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const from = await findFeedEnd();
    await receiver.send(source, signed(envelope({ id: "evt_away" })));
    await pool().query("SELECT pg_current_xact_id()"); // the log's end goes on, with no event in it
    const watching = new AbortController();
    const frames: unknown[] = [];
    for await (const frame of watchFeed(workspaceId, from, watching.signal, async () => true)) {
      frames.push(frame.event === "ready" ? { resumed: frame.data.resumed ?? false } : frame.event);
      if (frames.length === 3) watching.abort();
    }
    expect(frames).toEqual([{ resumed: true }, "appended", { resumed: false }]);
  });

  it.each([0, 1])(
    "brings one that resumed what it missed, though another statement saw further than the one that read (%i)",
    async (parity) => {
      const { workspaceId, sourceId } = await makeWorkspace();
      const from = await findFeedEnd();
      await pool().query(...insert(workspaceId, sourceId, "missed"));
      await pool().query(`CREATE SEQUENCE asked MINVALUE 0 START ${parity}; ALTER FUNCTION log_horizon() RENAME TO real_horizon;
      CREATE FUNCTION log_horizon() RETURNS xid8 LANGUAGE plpgsql STABLE AS $$ BEGIN
        RETURN CASE WHEN nextval('asked') % 2 = 0 THEN (SELECT min(xid) FROM events WHERE event_id = 'missed') ELSE real_horizon() END; END $$`);
      onTestFinished(
        () => void pool().query("DROP FUNCTION log_horizon(); ALTER FUNCTION real_horizon() RENAME TO log_horizon; DROP SEQUENCE asked"),
      );
      expect(
        await take(
          watchFeed(workspaceId, from, AbortSignal.timeout(20_000), async () => true),
          1,
        ),
      ).toMatchObject([{ id: "missed" }]);
    },
  );

  it("never takes a listener back to what it has got, though the horizon may be lower for a moment", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    await pool().query(...insert(workspaceId, sourceId, "first"));
    await beginWith(...insert(workspaceId, sourceId, "slow")); // the horizon stays before it
    const behind = `${BigInt((await findFeedEnd()).split("-")[0] ?? "0") + 1000n}-7`;
    expect(await readListenPage(workspaceId, behind, {}, 10)).toMatchObject({ rows: [], cursor: behind });
  });
});

/** Opens feeds of one API key, and reads on from each; closed at the end of the test. */
async function openFeeds(key: string, count: number) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const ask = () =>
    GET(new Request("http://localhost:3000/api/v1/feed", { headers: { authorization: `Bearer ${key}` }, signal: abort.signal }), {
      params: Promise.resolve({}),
    });
  const answers: Response[] = [];
  for (let n = 0; n < count; n += 1) answers.push(await ask());
  const readers = answers.map((answer) => answer.body?.pipeThrough(new TextDecoderStream()).getReader());
  const readUntil = async (reader: (typeof readers)[number], words: string) => {
    for (let text = ""; !text.includes(words); ) {
      const { value, done = true } = (await reader?.read()) ?? {};
      if (done) throw new Error(`the feed ended without ${words}`);
      text += value;
    }
  };
  const all = (words: string) => Promise.all(readers.map((reader) => readUntil(reader, words)));
  return { ask, close: () => abort.abort(), statuses: answers.map(({ status }) => status), all };
}

const keyOf = async (workspaceId: Awaited<ReturnType<typeof makeWorkspace>>["workspaceId"]) =>
  (await insertApiKey(workspaceId, { name: "ci", role: "viewer", createdBy: null })).key;

it("a person or key has at most 100 feeds open; others are not affected, and who closes one may open another", async () => {
  const { workspaceId } = await makeWorkspace();
  const key = await keyOf(workspaceId);
  const { ask, close, statuses } = await openFeeds(key, 100);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "10"]);
  expect((await refused.json()).detail).toContain("100 feeds open");
  const others = await openFeeds(await keyOf(workspaceId), 1);
  expect(others.statuses).toEqual([200]);
  close();
  await expect.poll(async () => (await openFeeds(key, 1)).statuses).toEqual([200]);
});

it("feeds that are woken together look together: one question about the log and one about the reader's rights", async () => {
  const { workspaceId } = await makeWorkspace();
  const key = await keyOf(workspaceId);
  const { all } = await openFeeds(key, 20);
  await all("event: ready");
  const asked: string[] = [];
  const query = vi.spyOn(pool(), "query");
  onTestFinished(() => query.mockRestore());
  query.mockImplementation(((...values: unknown[]) => {
    const [what] = values as [string | { text: string }];
    asked.push(typeof what === "string" ? what : what.text);
    return pool()
      .connect()
      .then((client) => client.query(...(values as [string])).finally(() => client.release()));
  }) as never);
  dispatchHere("rights", workspaceId);
  await expect.poll(() => asked.filter((text) => text.includes("FROM events")).length).toBeGreaterThan(0);
  dispatchHere("applied", workspaceId);
  await all("event: applied");
  // A few looks, each shared by all; apart, 20 feeds would take 40 and 20.
  expect(asked.filter((text) => text.includes("FROM events")).length).toBeLessThan(10);
  expect(asked.filter((text) => text.includes("api_keys")).length).toBeLessThan(10);
});
