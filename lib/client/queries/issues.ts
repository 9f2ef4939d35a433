import { keepPreviousData } from "@tanstack/react-query";
import { writeFilter } from "#lib/client/url-filter";
import type { SnoozeFor } from "#lib/contracts/alerts";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import { ISSUE_FILTERS, type IssueFilter, type IssueSort } from "#lib/contracts/issue-filters";
import type { IssueAction, IssuesChanged } from "#lib/contracts/issues";
import { call, changing, reading, readingPages, useChange } from "./api.ts";
import { KEYS } from "./keys.ts";

export const ISSUE_ROWS = 100;

export const issuesQuery = (filter: IssueFilter, sort: IssueSort) => ({
  ...readingPages([...KEYS.issues, filter, sort], "GET /api/v1/issues", {
    query: writeFilter(ISSUE_FILTERS, filter, { sort, limit: String(ISSUE_ROWS) }),
  }),
  placeholderData: keepPreviousData,
});

export const causesQuery = reading([...KEYS.issues, "causes"], "GET /api/v1/issues/causes");

export const issueQuery = (id: string) => reading([...KEYS.issue, id], "GET /api/v1/issues/{id}", { id });

const COUNTED = [KEYS.issues, KEYS.issue, KEYS.counts, KEYS.overview];

export const useMoveIssue = changing("POST /api/v1/issues/{id}/state", COUNTED, ({ id }) => issueQuery(id).queryKey);

type Several = { ids: string[] };

export const useMoveIssues = () =>
  useChange(
    ({ ids: all, action }: Several & { action: IssueAction }) =>
      inSlices(all, (ids) => call("POST /api/v1/issues/state", { body: { ids, action } })),
    COUNTED,
  );

export const useAssignIssues = () =>
  useChange(
    ({ ids: all, assignee }: Several & { assignee: string | null }) =>
      inSlices(all, (ids) => call("POST /api/v1/issues/assignee", { body: { ids, assignee } })),
    [KEYS.issues, KEYS.issue],
  );

export const useSnoozeIssues = () =>
  useChange(
    ({ ids: all, ...lasts }: Several & { for: SnoozeFor }) =>
      inSlices(all, (ids) => call("POST /api/v1/issues/snooze", { body: { ids, ...lasts } })),
    [KEYS.issue, KEYS.alerts],
  );

export const issueEventsQuery = (id: string) =>
  readingPages([...KEYS.events, "of-issue", id], "GET /api/v1/events", {
    query: writeFilter(EVENT_FILTERS, { issue: [id] }, { limit: "20" }),
  });

/** Most issues that the API changes in one request. */
const MAX_AT_ONCE = 100;

/** Changes any number of issues in slices, in sequence. @throws what `send` throws; earlier slices are changed by then */
export async function inSlices(ids: string[], send: (ids: string[]) => Promise<IssuesChanged>): Promise<IssuesChanged> {
  const all: IssuesChanged = { changed: [], unchanged: [] };
  for (let from = 0; from < ids.length; from += MAX_AT_ONCE) {
    const { changed, unchanged } = await send(ids.slice(from, from + MAX_AT_ONCE));
    all.changed.push(...changed);
    all.unchanged.push(...unchanged);
  }
  return all;
}
