import { listAudit } from "#lib/auth/audit/audit-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { AuditEntry } from "#lib/contracts/auth/audit";
import type { AuditFilter } from "#lib/contracts/auth/audit-filters";
import { type ExportColumns, type ExportFormat, exportText } from "#lib/http/streamed-answer";

const PAGE = 500;

const COLUMNS: ExportColumns<AuditEntry> = {
  json: (entry) => entry,
  csv: [
    ["id", ({ id }) => id],
    ["at", ({ at }) => at],
    ["action", ({ action }) => action],
    ["actor_kind", ({ actor }) => actor.kind],
    ["actor_id", ({ actor }) => actor.id ?? ""],
    ["actor_name", ({ actor }) => actor.name],
    ["credential", ({ actor }) => actor.credential ?? ""],
    ["ip", ({ ip }) => ip ?? ""],
    ["target_kind", ({ target }) => target?.kind ?? ""],
    ["target_id", ({ target }) => target?.id ?? ""],
    ["target_name", ({ target }) => target?.name ?? ""],
    ["before", ({ before }) => (before ? JSON.stringify(before) : "")],
    ["after", ({ after }) => (after ? JSON.stringify(after) : "")],
  ],
};

/** Streams matching entries, oldest first, a page at a time, so memory stays the same for any size. */
export const exportAudit = (workspaceId: WorkspaceId, filter: AuditFilter, format: ExportFormat): AsyncGenerator<string> =>
  exportText(format, COLUMNS, readPages(workspaceId, filter));

async function* readPages(workspaceId: WorkspaceId, filter: AuditFilter): AsyncGenerator<AuditEntry[]> {
  let cursor: string | undefined;
  do {
    const page = await listAudit(workspaceId, filter, { limit: PAGE, cursor, oldestFirst: true });
    yield page.data;
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
}
