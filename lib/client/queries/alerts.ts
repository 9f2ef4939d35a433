import { keepPreviousData } from "@tanstack/react-query";
import { writeFilter } from "#lib/client/url-filter";
import { ALERT_FILTERS, type AlertFilter } from "#lib/contracts/alert-rules";
import type { AlertRuleKind, ChangeAlertChannelBody, ChangeAlertRuleBody, CreateAlertChannelBody, SnoozeFor } from "#lib/contracts/alerts";
import { call, reading, readingPages, readingRows, useChange, useSecretChange } from "./api.ts";
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

export const useCreateAlertChannel = () =>
  useSecretChange((body: CreateAlertChannelBody) => call("POST /api/v1/alert-channels", { body }), SHOWN);
export const useChangeAlertChannel = (id: string) =>
  useChange((body: ChangeAlertChannelBody) => call("PATCH /api/v1/alert-channels/{id}", { id, body }), SHOWN);
export const useDeleteAlertChannel = (id: string) => useChange(() => call("DELETE /api/v1/alert-channels/{id}", { id }), SHOWN);
export const useTestAlertChannel = (id: string) => useChange(() => call("POST /api/v1/alert-channels/{id}/test", { id }), SHOWN);
export const useChangeAlertRule = (kind: AlertRuleKind) =>
  useChange((body: ChangeAlertRuleBody) => call("PATCH /api/v1/alert-rules/{kind}", { kind, body }), SHOWN);
export const useSnoozeAlert = (id: string) =>
  useChange((lasts: SnoozeFor) => call("POST /api/v1/alerts/{id}/snooze", { id, body: { for: lasts } }), SHOWN);
export const useSnoozeIssue = (id: string) =>
  useChange((lasts: SnoozeFor) => call("POST /api/v1/issues/{id}/snooze", { id, body: { for: lasts } }), SHOWN);
