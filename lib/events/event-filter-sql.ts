import type { EventFilter } from "#lib/contracts/events";

/** Conditions on `events e` and the values they refer to. */
export type Conditions = { sql: string[]; values: unknown[] };

const STATUS_SQL = {
  pending: "EXISTS (SELECT 1 FROM inbox i WHERE i.received_at = e.received_at AND i.seq = e.seq)",
  failed: "EXISTS (SELECT 1 FROM dead_letters d WHERE d.received_at = e.received_at AND d.seq = e.seq)",
} as const;
const SETTLED = `NOT ${STATUS_SQL.pending} AND NOT ${STATUS_SQL.failed}`;

const statusSql = (status: NonNullable<EventFilter["status"]>[number]) => {
  if (status === "pending") return STATUS_SQL.pending;
  if (status === "failed") return `(${STATUS_SQL.failed} AND NOT ${STATUS_SQL.pending})`;
  return `(${SETTLED} AND e.recognised = ${status === "processed"})`;
};

/** A filter as SQL. Every value is a parameter; `workspaceId` is always the first condition. */
export function conditionsOf(workspaceId: string, filter: EventFilter): Conditions {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const sql = [`e.workspace_id = ${bind(workspaceId)}`];
  if (filter.type) sql.push(`e.type = ANY(${bind(filter.type)}::text[])`);
  if (filter.status) sql.push(`(${filter.status.map(statusSql).join(" OR ")})`);
  if (filter.source) sql.push(`s.name = ${bind(filter.source)}`);
  if (filter.from) sql.push(`e.received_at >= ${bind(filter.from)}::timestamptz`);
  if (filter.to) sql.push(`e.received_at < ${bind(filter.to)}::timestamptz`);
  if (filter.resource) sql.push(resourceSql(filter.resource, bind));
  if (filter.issue) sql.push(issueSql(filter.issue, bind));
  if (filter.q) sql.push(searchSql(filter.q, bind));
  return { sql, values };
}

const KINDS = /^(document|task|pipeline|automation|run|integration):(.+)$/s;

function resourceSql(resource: string, bind: (value: unknown) => string): string {
  const [, kind, id] = KINDS.exec(resource) ?? [];
  const ref = bind(id ?? resource);
  const ofKind = kind ? ` AND r.kind = ${bind(kind)}` : "";
  return `(e.received_at, e.seq) IN (SELECT r.received_at, r.seq FROM event_refs r WHERE r.workspace_id = e.workspace_id AND r.ref = ${ref}${ofKind})`;
}

const issueSql = (issue: string, bind: (value: unknown) => string) =>
  `(e.received_at, e.seq) IN (SELECT f.received_at, f.seq FROM issue_events f WHERE f.workspace_id = e.workspace_id AND f.issue_id = ${bind(issue)})`;

/** Ids exactly, else the payload's text. Verified bodies are valid UTF-8, so the conversion can't fail. */
function searchSql(q: string, bind: (value: unknown) => string): string {
  const exact = bind(q);
  const like = bind(`%${q.replaceAll(/[\\%_]/g, "\\$&")}%`);
  return `(e.event_id = ${exact} OR e.type ILIKE ${like} OR convert_from(e.body, 'UTF8') ILIKE ${like})`;
}
