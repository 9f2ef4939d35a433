import { keepPreviousData } from "@tanstack/react-query";
import { writeFilter } from "#lib/client/url-filter";
import { ALERT_FILTERS, type AlertFilter } from "#lib/contracts/alert-rules";
import { changing, changingSecret, reading, readingPages, readingRows } from "./api.ts";
import { KEYS } from "./keys.ts";

/** Sent alerts have no frame in the feed. Milliseconds. */
const POLL_MS = 5000;

export const alertChannelsQuery = {
  ...reading([...KEYS.alerts, "channels"], "GET /api/v1/alert-channels"),
  refetchInterval: POLL_MS,
};

export const alertRulesQuery = readingRows([...KEYS.alerts, "rules"], "GET /api/v1/alert-rules");

export const alertsQuery = (filter: AlertFilter) => ({
  ...readingPages([...KEYS.alerts, "list", filter], "GET /api/v1/alerts", { query: writeFilter(ALERT_FILTERS, filter, { limit: "20" }) }),
  placeholderData: keepPreviousData,
  refetchInterval: POLL_MS,
});

export const issueSnoozeQuery = (id: string) => reading([...KEYS.alerts, "issue-snooze", id], "GET /api/v1/issues/{id}/snooze", { id });

const SHOWN = [KEYS.alerts, KEYS.overview];

export const useCreateAlertChannel = changingSecret("POST /api/v1/alert-channels", SHOWN);
export const useChangeAlertChannel = changing("PATCH /api/v1/alert-channels/{id}", SHOWN);
export const useDeleteAlertChannel = changing("DELETE /api/v1/alert-channels/{id}", SHOWN);
export const useTestAlertChannel = changing("POST /api/v1/alert-channels/{id}/test", SHOWN);
export const useChangeAlertRule = changing("PATCH /api/v1/alert-rules/{kind}", SHOWN);
export const useSnoozeAlert = changing("POST /api/v1/alerts/{id}/snooze", SHOWN);
export const useSnoozeIssue = changing("POST /api/v1/issues/{id}/snooze", SHOWN);
