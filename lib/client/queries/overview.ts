import { useQuery } from "@tanstack/react-query";
import { reading } from "./api.ts";
import { KEYS } from "./keys.ts";

/** Quarantined requests and silence have no frame in the feed. Milliseconds. */
const POLL_MS = 15_000;

export const overviewQuery = { ...reading(KEYS.overview, "GET /api/v1/overview"), refetchInterval: POLL_MS };

export const useOverview = () => useQuery(overviewQuery);

export const changesQuery = reading([...KEYS.overview, "changes"], "GET /api/v1/overview/changes");

export const LATEST_EVENTS = 8;

export const latestEventsQuery = reading([...KEYS.events, "latest"], "GET /api/v1/events", { query: { limit: LATEST_EVENTS } });

export const useLatestEvents = () => useQuery(latestEventsQuery);
