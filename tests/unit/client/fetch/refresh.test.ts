import { InfiniteQueryObserver, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { KEYS, refresh } from "#lib/client/queries/keys";
import { createQueryClient } from "#lib/client/query-client";

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
