import { queryOptions } from "@tanstack/react-query";
import { apiFetch } from "#lib/client/fetcher";
import { settingsContract } from "#lib/client/queries/settings";
import { KEYS } from "./keys.ts";

export const membersQuery = queryOptions({
  queryKey: [...KEYS.settings, "members"] as const,
  queryFn: async ({ signal }) => (await apiFetch(settingsContract("memberList"), "/api/v1/members", { signal })).data,
});
