import { queryOptions } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetch/fetcher";
import { KEYS } from "#lib/client/queries/keys";

const settingsContract = contract(() => import("#lib/contracts/auth/settings"));

export const membersQuery = queryOptions({
  queryKey: [...KEYS.settings, "members"] as const,
  queryFn: async ({ signal }) => (await apiFetch(settingsContract("memberList"), "/api/v1/members", { signal })).data,
});
