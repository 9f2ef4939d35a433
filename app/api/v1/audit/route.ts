import { defineRoute } from "#lib/api/define-route";
import { listAudit } from "#lib/auth/audit/audit-store";
import { auditPage, auditQuery } from "#lib/contracts/auth/audit";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "audit.read",
  summary: "Read the audit log",
  query: auditQuery,
  answers: { 200: auditPage },
  example: { query: { action: "member", limit: "20" } },
  handle: ({ actor, query: { limit, cursor, ...filter } }) => listAudit(actor.workspaceId, filter, { limit, cursor }),
});
