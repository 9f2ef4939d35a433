import { queryOptions } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetcher";
import { KEYS } from "./keys.ts";

const settingsContract = contract(() => import("#lib/contracts/auth/settings"));

/** In a file of its own: lists that name members don't load what changes them. */
export const membersQuery = queryOptions({
  queryKey: [...KEYS.settings, "members"] as const,
  queryFn: async ({ signal }) => (await apiFetch(settingsContract("memberList"), "/api/v1/members", { signal })).data,
});
