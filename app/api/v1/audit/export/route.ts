import { defineRoute } from "#lib/api/define-route";
import { inHeavyTurns } from "#lib/api/request-limits";
import { auditExportQuery } from "#lib/contracts/auth/audit";
import { exportAudit } from "#lib/flows/members/export-audit";
import { exportResponse } from "#lib/http/streamed-answer";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "audit.read",
  summary: "Export the audit log",
  description: "`format` is `csv` (the default) or `ndjson`. The file is streamed and can be as long as the log.",
  query: auditExportQuery,
  answers: { 200: { mediaType: "text/csv" } },
  example: { query: { format: "csv" } },
  handle: ({ actor, query: { format, ...filter } }) =>
    exportResponse(inHeavyTurns(actor, exportAudit(actor.workspaceId, filter, format)), format, "audit-log"),
});
