import * as z from "zod/mini";
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
    id: z.nullable(z.string()),
    name: z.string(),
    /** The public id of the session or key that was used. */
    credential: z.nullable(z.string()),
  }),
  address: z.nullable(z.string()),
  target: z.nullable(z.object({ kind: z.string(), id: z.string(), name: z.nullable(z.string()) })),
  before: z.nullable(values),
  after: z.nullable(values),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const filter = {
  /** An action, or the part before its dot: `member` finds `member.removed`. */
  action: z.optional(z.string().check(z.maxLength(80))),
  /** Part of a name or an id: of who did it or to what it was done. */
  q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  from: z.optional(z.iso.datetime({ offset: true })),
  to: z.optional(z.iso.datetime({ offset: true })),
};

/** `GET /api/v1/audit`, newest first. */
export const auditQuery = z.extend(pageQuery, filter);
export const auditPage = pageOf(auditEntry);

/** `GET /api/v1/audit/export`: everything that matches, oldest first, as a file. */
export const auditExportQuery = z.object({ ...filter, format: z._default(z.enum(["csv", "ndjson"]), "csv") });

/** What entries are asked for; without a limit. */
export type AuditFilter = Omit<z.infer<typeof auditExportQuery>, "format">;
