import { useInfiniteQuery } from "@tanstack/react-query";
import type * as z from "zod/mini";
import { apiFetch } from "#lib/client/fetcher";
import { auditPage } from "#lib/contracts/audit";

/** What the page asks for; empty fields ask for everything. `from` and `to` are days, as a date field gives them. */
export type AuditSearch = { action: string; q: string; from: string; to: string };

/** The search as the API takes it: days become the moments at which they begin and end here. */
export function auditParameters({ action, q, from, to }: AuditSearch): URLSearchParams {
  const entries = {
    action,
    q: q.trim(),
    from: from && new Date(`${from}T00:00:00`).toISOString(),
    to: to && new Date(`${to}T23:59:59.999`).toISOString(),
  };
  return new URLSearchParams(Object.entries(entries).filter(([, value]) => value !== ""));
}

/** The audit log, newest first, page by page. */
export const useAudit = (search: AuditSearch) =>
  useInfiniteQuery({
    queryKey: ["settings", "audit", search],
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: z.infer<typeof auditPage>) => nextCursor,
    queryFn: ({ pageParam, signal }): Promise<z.infer<typeof auditPage>> => {
      const parameters = auditParameters(search);
      if (pageParam) parameters.set("cursor", pageParam);
      return apiFetch(auditPage, `/api/v1/audit?${parameters}`, { signal });
    },
  });
