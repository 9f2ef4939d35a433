"use client";

import { CopyButton } from "#components/ui/copy-button";
import { KeyValueList } from "#components/ui/key-value-list";

/** The headers that were kept, as they came. */
export function HeadersTab({ headers }: { headers: Record<string, string> }) {
  const entries = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return <p className="text-13 text-muted">No headers were kept.</p>;
  const items = entries.map(([name, value]) => ({
    label: name,
    value: (
      <span className="flex items-start gap-1">
        <span className="min-w-0 flex-1 break-all font-mono text-12 leading-5">{value}</span>
        <CopyButton value={value} label={`Copy ${name}`} className="-my-1" />
      </span>
    ),
  }));
  return <KeyValueList items={items} />;
}
