import { z } from "zod";
import { pageOf, pageQuery } from "./paging.ts";

const values = z.record(z.string(), z.unknown());

/** One line of the audit log: who did what, from where, and what it was before and after. Never a secret. */
export const auditEntry = z.object({
  id: z.string(),
  at: z.string(),
  action: z.string(),
  /** The action in words. */
  does: z.string(),
  actor: z.object({
    kind: z.enum(["person", "key", "stranger", "system"]),
    id: z.string().nullable(),
    name: z.string(),
    /** The public id of the session or key that was used. */
    credential: z.string().nullable(),
  }),
  address: z.string().nullable(),
  target: z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() }).nullable(),
  before: values.nullable(),
  after: values.nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const filter = {
  /** An action, or the part before its dot: `member` finds `member.removed`. */
  action: z.string().max(80).optional(),
  /** Part of a name or an id: of who did it or to what it was done. */
  q: z.string().trim().max(200).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
};

/** `GET /api/v1/audit`, newest first. */
export const auditQuery = pageQuery.extend(filter);
export const auditPage = pageOf(auditEntry);

/** `GET /api/v1/audit/export`: everything that matches, oldest first, as a file. */
export const auditExportQuery = z.object({ ...filter, format: z.enum(["csv", "ndjson"]).default("csv") });

/** What entries are asked for; without a limit. */
export type AuditFilter = Omit<z.infer<typeof auditExportQuery>, "format">;
