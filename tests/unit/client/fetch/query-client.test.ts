import { InfiniteQueryObserver, MutationObserver, onlineManager, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { ApiProblem } from "#lib/client/fetcher";
import { KEYS, refresh } from "#lib/client/queries/keys";
import { createQueryClient } from "#lib/client/query-client";

afterEach(() => void vi.useRealTimers());
afterEach(() => onlineManager.setOnline(true));

test("a change made offline fails at once, and is not sent when the line is back", async () => {
  onlineManager.setOnline(false);
  const send = vi.fn(() => Promise.reject(new Error("offline")));
  const change = new MutationObserver(createQueryClient(), { mutationFn: send });
  await expect(change.mutate()).rejects.toThrow("offline");
  onlineManager.setOnline(true);
  await new Promise((resolve) => setTimeout(resolve));
  expect(send).toHaveBeenCalledOnce();
});

const tooMany = (seconds: number) =>
  new ApiProblem({ type: "about:blank", title: "Too many requests", status: 429, code: "too_many_requests" }, seconds);

test("a read that was turned away for a moment is made again when the server said", async () => {
  vi.useFakeTimers();
  const read = vi.fn().mockRejectedValueOnce(tooMany(5)).mockResolvedValue("answer");
  const answer = createQueryClient().fetchQuery({
    queryKey: ["a"],
    queryFn: read,
    retry: createQueryClient().getDefaultOptions().queries?.retry ?? false,
  });
  await vi.advanceTimersByTimeAsync(4900);
  expect(read).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(200);
  await expect(answer).resolves.toBe("answer");
});

test("a read that was turned away for long is not made again by itself", async () => {
  const read = vi.fn().mockRejectedValue(tooMany(60));
  const retry = createQueryClient().getDefaultOptions().queries?.retry ?? false;
  await expect(createQueryClient().fetchQuery({ queryKey: ["a"], queryFn: read, retry })).rejects.toThrow("Too many");
  expect(read).toHaveBeenCalledTimes(1);
});

const later = () => new Promise((resolve) => setTimeout(resolve, 5));

test("an older page that is being loaded is not cancelled, and what changed meanwhile is read as well", async () => {
  const queries = createQueryClient();
  let version = 1;
  const list = new InfiniteQueryObserver(queries, {
    queryKey: [...KEYS.issues, "list"],
    queryFn: async ({ pageParam, signal }) => {
      const read = version;
      await later();
      signal.throwIfAborted();
      return `page ${pageParam} of version ${read}`;
    },
    initialPageParam: 1,
    getNextPageParam: (_page, pages) => pages.length + 1,
  });
  const unsubscribe = list.subscribe(() => {});
  await list.refetch();
  const older = list.fetchNextPage();
  version = 2;
  const round = refresh(queries, KEYS.issues);
  expect((await older).data?.pages).toEqual(["page 1 of version 1", "page 2 of version 1"]);
  await round;
  expect(list.getCurrentResult().data?.pages).toEqual(["page 1 of version 2", "page 2 of version 2"]);
  unsubscribe();
});

test("what is not being fetched is fetched once", async () => {
  const queries = createQueryClient();
  let reads = 0;
  const counts = new QueryObserver(queries, { queryKey: KEYS.counts, queryFn: async () => ++reads, initialData: 0, staleTime: 60_000 });
  const unsubscribe = counts.subscribe(() => {});
  await refresh(queries, KEYS.counts, KEYS.overview);
  expect(reads).toBe(1);
  unsubscribe();
});
