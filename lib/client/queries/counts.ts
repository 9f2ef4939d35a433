import { useQuery } from "@tanstack/react-query";
import { reading } from "./api.ts";
import { KEYS } from "./keys.ts";

/** Quarantined requests and silence have no frame in the feed. Milliseconds. */
const POLL_MS = 15_000;

export const countsQuery = { ...reading(KEYS.counts, "GET /api/v1/overview/counts"), refetchInterval: POLL_MS };

export const useCounts = () => useQuery(countsQuery);
