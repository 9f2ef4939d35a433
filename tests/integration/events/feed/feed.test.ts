import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { FeedFrame } from "#lib/contracts/events/events";
import { pool } from "#lib/db/pool";
import { findFeedEnd, readFeed, readListenPage } from "#lib/events/feed-store";
import { watchFeed } from "#lib/flows/events/watch-feed";
import { useDatabase } from "#tests/support/database";
import { beginWith } from "#tests/support/other-session";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

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
      for (const { id, event } of await readFeed(workspaceId, cursor, 10)) {
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
      for (const { id, event } of await readFeed(workspaceId, cursor, 100)) {
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

  it("never takes a listener back to what it has got, though the horizon may be lower for a moment", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    await pool().query(...insert(workspaceId, sourceId, "first"));
    await beginWith(...insert(workspaceId, sourceId, "slow")); // the horizon stays before it
    const behind = `${BigInt((await findFeedEnd()).split("-")[0] ?? "0") + 1000n}-7`;
    expect(await readListenPage(workspaceId, behind, {}, 10)).toMatchObject({ rows: [], cursor: behind });
  });
});
