import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetcher";
import { writeFilter } from "#lib/client/url-filter";
import type { Page } from "#lib/contracts/api/parameters";
import type { AuditEntry } from "#lib/contracts/auth/audit";
import { AUDIT_FILTERS, type AuditFilter } from "#lib/contracts/auth/audit-filters";
import { KEYS } from "./keys.ts";

const auditContract = contract(() => import("#lib/contracts/auth/audit"));

export const auditLogQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.settings, "audit", filter] as const,
    queryFn: ({ pageParam, signal }): Promise<Page<AuditEntry>> =>
      apiFetch(auditContract("auditPage"), `/api/v1/audit?${writeFilter(AUDIT_FILTERS, filter, { cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
