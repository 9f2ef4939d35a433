"use client";

import { EyeOff } from "lucide-react";
import { CopyButton } from "#components/ui/json/copy-button";
import { KeyValueList } from "#components/ui/layout/key-value-list";

/** Text that the receiver stores in place of a secret. */
const MASKED = "[masked]";

export function HeadersTab({ headers }: { headers: Record<string, string> }) {
  const entries = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return <p className="text-13 text-muted">No headers stored.</p>;
  const items = entries.map(([name, value]) => ({
    label: name,
    value: (
      <span className="flex items-start gap-1">
        {value === MASKED ? (
          <span className="flex items-center gap-1.5 text-muted">
            <EyeOff aria-hidden className="size-3.5" /> Masked: secrets aren't shown
          </span>
        ) : (
          <>
            <span className="min-w-0 flex-1 break-all font-mono text-12 leading-5">{value}</span>
            <CopyButton value={value} label={`Copy ${name}`} className="-my-1" />
          </>
        )}
      </span>
    ),
  }));
  return <KeyValueList items={items} />;
}
