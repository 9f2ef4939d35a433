import * as z from "zod/mini";
import type { FilterOf, Filters } from "#lib/contracts/api/filters";
import { filterShape, pageOf, pageQuery } from "#lib/contracts/api/parameters";

const values = z.record(z.string(), z.unknown());

/** Never holds a secret. */
export const auditEntry = z.object({
  id: z.string(),
  at: z.string(),
  action: z.string(),
  does: z.string(),
  actor: z.object({
    kind: z.enum(["person", "key", "anonymous", "system"]),
    id: z.nullable(z.string()),
    name: z.string(),
    credential: z.nullable(z.string()),
  }),
  ip: z.nullable(z.string()),
  target: z.nullable(z.object({ kind: z.string(), id: z.string(), name: z.nullable(z.string()) })),
  before: z.nullable(values),
  after: z.nullable(values),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** A new filter is an entry here and its SQL in lib/auth/audit/audit-store.ts. */
export const AUDIT_FILTERS = {
  q: {
    value: { kind: "text", max: 200 },
    label: "Actor or target",
    input: { as: "text", placeholder: "Name, ID or IP address" },
  },
  /** An action, or the part before its dot: `member` finds `member.removed`. */
  action: { value: { kind: "text", max: 80 }, label: "Category", input: { as: "select", of: "subjects", any: "All categories" } },
  from: { value: { kind: "moment" }, label: "From" },
  to: { value: { kind: "moment" }, label: "To" },
} as const satisfies Filters;
export type AuditFilter = FilterOf<typeof AUDIT_FILTERS>;

export const auditQuery = z.extend(pageQuery, filterShape(AUDIT_FILTERS));
export const auditPage = pageOf(auditEntry);

export const auditExportQuery = z.extend(z.object(filterShape(AUDIT_FILTERS)), { format: z._default(z.enum(["csv", "ndjson"]), "csv") });
