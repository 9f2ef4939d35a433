import { stat } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { GroupCommit, type GroupCommitOptions, QueueFull } from "#lib/ingest/receiver-log";
import { holdEventLoop } from "#tests/support/hold-event-loop";

function groupCommit(flush: (items: number[]) => Promise<number[]>, options: Partial<GroupCommitOptions<number, number>> = {}) {
  const groups: number[][] = [];
  const commit = new GroupCommit<number, number>({
    maxItems: 10,
    maxBytes: 1000,
    maxWaitingBytes: 1000,
    timeoutMs: () => 1000,
    isItemsFault: () => false,
    ...options,
    flush: async (items) => {
      groups.push(items);
      return flush(items);
    },
  });
  return { commit, groups };
}

const doubled = async (items: number[]) => items.map((item) => item * 2);

describe("group commit", () => {
  it("flushes a lone item at once and lets those that come meanwhile share the next commit", async () => {
    let release = () => {};
    const first = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { commit, groups } = groupCommit(async (items) => {
      if (items[0] === 1) await first;
      return doubled(items);
    });
    const answers = [1, 2, 3, 4].map((item) => commit.submit(item, 1));
    release();
    expect(await Promise.all(answers)).toEqual([2, 4, 6, 8]);
    expect(groups).toEqual([[1], [2, 3, 4]]);
  });

  it("keeps what was committed in time, though this process was too busy to read it", async () => {
    const flush = async (items: number[]) => {
      await stat(import.meta.filename);
      return doubled(items);
    };
    await new Promise((resolve) => setImmediate(resolve)); // timers come next
    const kept = groupCommit(flush, { timeoutMs: () => 20 }).commit.submit(1, 1);
    holdEventLoop(500);
    expect(await kept).toBe(2);
  });

  it("bounds a group by items and by bytes", async () => {
    const { commit, groups } = groupCommit(doubled, { maxItems: 2, maxBytes: 10 });
    await Promise.all([commit.submit(1, 1), commit.submit(2, 1), commit.submit(3, 1), commit.submit(4, 9), commit.submit(5, 9)]);
    expect(groups).toEqual([[1], [2, 3], [4], [5]]);
  });

  it("refuses at once what would make the queue too large, and takes more when it has drained", async () => {
    const { commit } = groupCommit(doubled, { maxWaitingBytes: 10 });
    const taken = commit.submit(1, 10);
    await expect(commit.submit(2, 1)).rejects.toThrow(QueueFull);
    await taken;
    await new Promise((resolve) => setImmediate(resolve));
    expect(await commit.submit(3, 10)).toBe(6);
  });

  it("takes an item that is larger than the whole queue where nothing else waits", async () => {
    const { commit } = groupCommit(doubled, { maxWaitingBytes: 10 });
    const large = commit.submit(1, 11);
    await expect(commit.submit(2, 1)).rejects.toThrow(QueueFull);
    expect(await large).toBe(2);
  });

  it("gives up on an item whose commit takes too long, and does not write what gave up in the queue", async () => {
    let release = () => {};
    const stuck = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { commit, groups } = groupCommit(
      async (items) => {
        if (items.includes(1)) await stuck;
        return doubled(items);
      },
      { timeoutMs: () => 30 },
    );
    const outcomes = await Promise.allSettled([commit.submit(1, 1), commit.submit(2, 1)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    release();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await commit.submit(3, 1)).toBe(6);
    expect(groups).toEqual([[1], [3]]);
  });

  it("gives an item the time of its size: a large one is committed after a small one beside it was given up", async () => {
    let release = () => {};
    const stuck = new Promise<void>((resolve) => {
      release = resolve;
    });
    const timeoutMs = (bytes: number) => (bytes > 100 ? 60_000 : 10);
    const flush = async (items: number[]) => {
      await stuck;
      return doubled(items);
    };
    const large = groupCommit(flush, { timeoutMs }).commit.submit(1, 500);
    const small = groupCommit(flush, { timeoutMs }).commit.submit(2, 1);
    await expect(small).rejects.toThrow();
    release();
    expect(await large).toBe(2);
  });

  it("tries items one by one when one of them is at fault, so that only that one fails", async () => {
    const { commit } = groupCommit(
      async (items) => {
        if (items.includes(13)) throw new Error("bad data");
        return doubled(items);
      },
      { isItemsFault: () => true },
    );
    const outcomes = await Promise.allSettled([commit.submit(1, 1), commit.submit(2, 1), commit.submit(13, 1), commit.submit(4, 1)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  });
});
