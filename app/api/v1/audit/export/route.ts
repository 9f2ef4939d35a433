import { auditExportQuery } from "#lib/contracts/audit";
import { exportAudit } from "#lib/flows/export-audit";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** The audit log as a file, oldest first: CSV, or one JSON object a line. */
export const GET = defineRoute({
  operation: "audit.read",
  summary: "Export the audit log",
  description: "`format` is `csv` (the default) or `ndjson`. The file is streamed: it may be as long as the log.",
  query: auditExportQuery,
  answers: { 200: { mediaType: "text/csv" } },
  example: { query: { format: "csv" } },
  handle: async ({ actor, query: { format, ...filter } }) => {
    const type = format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson; charset=utf-8";
    return new Response(exportAudit(actor.workspaceId, filter, format), {
      headers: {
        "content-type": type,
        "content-disposition": `attachment; filename="audit-log.${format}"`,
        "cache-control": "no-store",
      },
    });
  },
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });
