import { useQuery } from "@tanstack/react-query";
import { fetchLater } from "#lib/client/fetch-later";

const counts = () => import("#lib/contracts/overview").then((module) => module.counts);

/** Refusals and silence send no frame: what the feed does not tell is asked for this often. */
const POLL_MS = 15_000;

/** What the rail counts on every page. */
export const useCounts = () =>
  useQuery({
    queryKey: ["counts"],
    queryFn: ({ signal }) => fetchLater(counts, "/api/v1/overview/counts", { signal }),
    refetchInterval: POLL_MS,
  });
