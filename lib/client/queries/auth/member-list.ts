import { queryOptions } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetch/fetcher";
import { KEYS } from "#lib/client/queries/keys";

const settingsContract = contract(() => import("#lib/contracts/auth/settings"));

/** In its own file, so that lists that name members don't load the code that changes them. */
export const membersQuery = queryOptions({
  queryKey: [...KEYS.settings, "members"] as const,
  queryFn: async ({ signal }) => (await apiFetch(settingsContract("memberList"), "/api/v1/members", { signal })).data,
});
