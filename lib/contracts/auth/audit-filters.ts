import type { FilterOf, Filters } from "#lib/contracts/api/filters";

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
