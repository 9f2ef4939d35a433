import { useQuery } from "@tanstack/react-query";
import { apiFetch } from "#lib/client/fetcher";
import { counts } from "#lib/contracts/overview";

/** Refusals and silence send no frame: what the feed does not tell is asked for this often. */
const POLL_MS = 15_000;

/** What the rail counts on every page. */
export const useCounts = () =>
  useQuery({
    queryKey: ["counts"],
    queryFn: ({ signal }) => apiFetch(counts, "/api/v1/overview/counts", { signal }),
    refetchInterval: POLL_MS,
  });
