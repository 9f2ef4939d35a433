import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetcher";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import { writeFilter } from "#lib/client/url-filter";
import { ALERT_FILTERS, type AlertFilter } from "#lib/contracts/alert-rules";
import type {
  Alert,
  AlertRule,
  AlertRuleKind,
  ChangeAlertChannelBody,
  ChangeAlertRuleBody,
  CreateAlertChannelBody,
  SnoozeFor,
} from "#lib/contracts/alerts";
import type { Page } from "#lib/contracts/api/parameters";

const alertsContract = contract(() => import("#lib/contracts/alerts"));
const channelsContract = contract(() => import("#lib/contracts/alerts"));
const rulesContract = contract(() => import("#lib/contracts/alerts"));

/** Sent alerts have no frame in the feed. Milliseconds. */
const POLL_MS = 5000;

const CHANNELS = "/api/v1/alert-channels";
const channelPath = (id: string) => `${CHANNELS}/${encodeURIComponent(id)}`;
const issueSnoozePath = (id: string) => `/api/v1/issues/${encodeURIComponent(id)}/snooze`;

export const alertChannelsQuery = queryOptions({
  queryKey: [...KEYS.alerts, "channels"] as const,
  queryFn: ({ signal }) => apiFetch(channelsContract("alertChannelList"), CHANNELS, { signal }),
  refetchInterval: POLL_MS,
});

export const alertRulesQuery = queryOptions({
  queryKey: [...KEYS.alerts, "rules"] as const,
  queryFn: async ({ signal }): Promise<AlertRule[]> =>
    (await apiFetch(rulesContract("alertRuleList"), "/api/v1/alert-rules", { signal })).data,
});

export const alertsQuery = (filter: AlertFilter) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.alerts, "list", filter] as const,
    queryFn: ({ pageParam, signal }): Promise<Page<Alert>> =>
      apiFetch(alertsContract("alertPage"), `/api/v1/alerts?${writeFilter(ALERT_FILTERS, filter, { cursor: pageParam, limit: "20" })}`, {
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });

export const issueSnoozeQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.alerts, "issue-snooze", id] as const,
    queryFn: ({ signal }) => apiFetch(alertsContract("snoozed"), issueSnoozePath(id), { signal }),
  });

/** `waits` false: done before the pages show it, for responses with a secret. */
function useChange<In, Out>(change: (input: In) => Promise<Out>, waits = true) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      const shown = invalidate(queries, KEYS.alerts, KEYS.overview);
      return waits ? shown : undefined;
    },
  });
}

export const useCreateAlertChannel = () =>
  useChange((body: CreateAlertChannelBody) => apiSend(channelsContract("createdAlertChannel"), "POST", CHANNELS, body), false);
export const useChangeAlertChannel = (id: string) =>
  useChange((body: ChangeAlertChannelBody) => apiSend(channelsContract("alertChannel"), "PATCH", channelPath(id), body));
export const useDeleteAlertChannel = (id: string) =>
  useChange(() => apiSend(channelsContract("deletedAlertChannel"), "DELETE", channelPath(id)));
export const useTestAlertChannel = (id: string) =>
  useChange(() => apiSend(channelsContract("alertChannelTest"), "POST", `${channelPath(id)}/test`));
export const useChangeAlertRule = (kind: AlertRuleKind) =>
  useChange((body: ChangeAlertRuleBody) => apiSend(rulesContract("alertRule"), "PATCH", `/api/v1/alert-rules/${kind}`, body));
export const useSnoozeAlert = (id: string) =>
  useChange((lasts: SnoozeFor) =>
    apiSend(alertsContract("snoozed"), "POST", `/api/v1/alerts/${encodeURIComponent(id)}/snooze`, { for: lasts }),
  );
export const useSnoozeIssue = (id: string) =>
  useChange((lasts: SnoozeFor) => apiSend(alertsContract("snoozed"), "POST", issueSnoozePath(id), { for: lasts }));
