import { listAudit } from "#lib/auth/audit-store";
import type { AuditEntry, AuditFilter } from "#lib/contracts/audit";
import type { WorkspaceId } from "#lib/contracts/ids";

const PAGE = 500;

/** Everything that matches, page by page: memory holds one page, however long the log is. */
export function exportAudit(workspaceId: WorkspaceId, filter: AuditFilter, format: "csv" | "ndjson"): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const lines = writeLines(workspaceId, filter, format);
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => void lines.return(undefined),
  });
}

async function* writeLines(workspaceId: WorkspaceId, filter: AuditFilter, format: "csv" | "ndjson"): AsyncGenerator<string, undefined> {
  if (format === "csv") yield csvLine(COLUMNS.map(([name]) => name));
  let cursor: string | undefined;
  do {
    const page = await listAudit(workspaceId, filter, { limit: PAGE, cursor, oldestFirst: true });
    const write =
      format === "csv"
        ? (entry: AuditEntry) => csvLine(COLUMNS.map(([, read]) => read(entry)))
        : (entry: AuditEntry) => `${JSON.stringify(entry)}\n`;
    if (page.data.length > 0) yield page.data.map(write).join("");
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
}

const COLUMNS: [string, (entry: AuditEntry) => string][] = [
  ["id", ({ id }) => id],
  ["at", ({ at }) => at],
  ["action", ({ action }) => action],
  ["actor_kind", ({ actor }) => actor.kind],
  ["actor_id", ({ actor }) => actor.id ?? ""],
  ["actor_name", ({ actor }) => actor.name],
  ["credential", ({ actor }) => actor.credential ?? ""],
  ["address", ({ address }) => address ?? ""],
  ["target_kind", ({ target }) => target?.kind ?? ""],
  ["target_id", ({ target }) => target?.id ?? ""],
  ["target_name", ({ target }) => target?.name ?? ""],
  ["before", ({ before }) => (before ? JSON.stringify(before) : "")],
  ["after", ({ after }) => (after ? JSON.stringify(after) : "")],
];

const csvLine = (values: string[]): string => `${values.map(csvField).join(",")}\r\n`;

/** RFC 4180; and what a spreadsheet would run as a formula is marked as text: names are other people's words. */
function csvField(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
