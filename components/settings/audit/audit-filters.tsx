"use client";

import { DayRange } from "#components/records/filters/day-range";
import { FilterRow } from "#components/records/filters/filter-row";
import { AUDIT_FILTERS, type AuditFilter } from "#lib/contracts/auth/audit";

/** The two ends of the period stand in one field. */
const { from: _from, to: _to, ...FIELDS } = AUDIT_FILTERS;

type AuditFiltersProps = { filter: AuditFilter; subjects: { value: string; label: string }[]; onChange: (filter: AuditFilter) => void };

/** Filters by actor or target, by category, and by day. */
export function AuditFilters({ filter, subjects, onChange }: AuditFiltersProps) {
  return (
    <FilterRow
      what="the audit log"
      filters={FIELDS}
      filter={filter}
      onChange={(fields) => onChange({ ...filter, ...fields })}
      options={{ subjects }}
    >
      <DayRange from={filter.from} to={filter.to} onChange={(range) => onChange({ ...filter, ...range })} />
    </FilterRow>
  );
}
