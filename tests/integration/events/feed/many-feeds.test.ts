import { expect, it, onTestFinished, vi } from "vitest";
import { insertApiKey } from "#lib/auth/api-key-store";
import { dispatchHere } from "#lib/db/notifications";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { makeWorkspace } from "#tests/support/webhooks";
import { GET } from "../../../../app/api/v1/feed/route.ts";

useDatabase();

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
