"use client";

import { X } from "lucide-react";
import { shortId } from "#components/records/resource-id";
import { Button } from "#components/ui/primitives/button";
import { compact } from "#lib/client/url-filter";
import type { FilterOf, Filters } from "#lib/contracts/api/filters";

type FilterChipsProps<F extends Filters> = {
  filters: F;
  filter: FilterOf<F>;
  hidden: readonly (keyof F)[];
  onChange: (filter: FilterOf<F>) => void;
};

/** These have a field of their own. */
const PERIOD = new Set(["period", "from", "to"]);

/** Shows filters without a field, which only links set, each with a button to remove it. */
export function FilterChips<F extends Filters>({ filters, filter, hidden, onChange }: FilterChipsProps<F>) {
  return Object.entries(filters).map(([name, { input, label, choices }]) => {
    const value = filter[name];
    if (input !== undefined || value === undefined || PERIOD.has(name) || hidden.includes(name)) return null;
    const text = `${label}: ${choices?.[String(value)] ?? shortId(String(value))}`;
    return (
      <Button
        key={name}
        icon={<X aria-hidden />}
        aria-label={`Remove filter ${text}`}
        onClick={() => onChange(compact({ ...filter, [name]: undefined }))}
      >
        <span className="max-w-60 truncate text-12">{text}</span>
      </Button>
    );
  });
}
