import * as z from "zod/mini";
import { filterShape, pageOf, pageQuery } from "#lib/contracts/api/parameters";
import { AUDIT_FILTERS } from "./audit-filters.ts";

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

export const auditQuery = z.extend(pageQuery, filterShape(AUDIT_FILTERS));
export const auditPage = pageOf(auditEntry);

export const auditExportQuery = z.extend(z.object(filterShape(AUDIT_FILTERS)), { format: z._default(z.enum(["csv", "ndjson"]), "csv") });
