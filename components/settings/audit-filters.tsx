"use client";

import { Search } from "lucide-react";
import { Input } from "#components/ui/input";
import { Select } from "#components/ui/select";
import type { AuditSearch } from "#lib/client/audit";

type AuditFiltersProps = { search: AuditSearch; subjects: { value: string; label: string }[]; onChange: (search: AuditSearch) => void };

/** About what, by whom or to what, between which days. */
export function AuditFilters({ search, subjects, onChange }: AuditFiltersProps) {
  const set = (part: Partial<AuditSearch>) => onChange({ ...search, ...part });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="min-w-48 flex-1">
        <Input
          icon={<Search aria-hidden />}
          aria-label="Who, or what it was done to"
          placeholder="Name, id or address"
          value={search.q}
          maxLength={200}
          onChange={({ target }) => set({ q: target.value })}
        />
      </div>
      <div className="w-44 max-rail:flex-1">
        <Select
          label="About"
          options={[{ value: "all", label: "Everything" }, ...subjects]}
          value={search.action || "all"}
          onValueChange={(value) => set({ action: value === "all" ? "" : value })}
        />
      </div>
      <span className="flex items-center gap-2 text-muted max-rail:w-full">
        <Input type="date" aria-label="From" value={search.from} max={search.to} onChange={({ target }) => set({ from: target.value })} />
        to
        <Input type="date" aria-label="To" value={search.to} min={search.from} onChange={({ target }) => set({ to: target.value })} />
      </span>
    </div>
  );
}
