import { keepPreviousData } from "@tanstack/react-query";
import { writeFilter } from "#lib/client/url-filter";
import { AUDIT_FILTERS, type AuditFilter } from "#lib/contracts/auth/audit-filters";
import { readingPages } from "./api.ts";
import { KEYS } from "./keys.ts";

export const auditLogQuery = (filter: AuditFilter) => ({
  ...readingPages([...KEYS.settings, "audit", filter], "GET /api/v1/audit", { query: writeFilter(AUDIT_FILTERS, filter) }),
  placeholderData: keepPreviousData,
});
