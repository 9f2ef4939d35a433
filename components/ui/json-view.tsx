"use client";

import { useState } from "react";
import { cn } from "#components/ui/cn";
import { CopyButton } from "#components/ui/copy-button";
import { JsonNode } from "#components/ui/json-node";

type JsonViewProps = { value: unknown; label: string; defaultDepth?: number; className?: string };

/**
 * Any JSON as a tree that opens and closes. Values are shown as text, never
 * interpreted; long lists come a hundred at a time, so a payload of a megabyte
 * costs no more than what is open.
 */
export function JsonView({ value, label, defaultDepth = 2, className }: JsonViewProps) {
  const [depth, setDepth] = useState(defaultDepth);
  const everything = depth > defaultDepth;
  return (
    <div className={cn("relative rounded-md border border-line bg-sunken", className)}>
      <div className="absolute top-1 right-1 z-1 flex items-center gap-1 rounded-md bg-sunken">
        <button
          type="button"
          onClick={() => setDepth(everything ? defaultDepth : 12)}
          className="h-7 rounded-md px-2 text-12 text-muted hover:bg-hover hover:text-text"
        >
          {everything ? "Fold" : "Unfold"}
        </button>
        <CopyButton value={JSON.stringify(value, null, 2)} label={`Copy ${label}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard. */}
      <section aria-label={label} tabIndex={0} className="max-h-[640px] overflow-auto p-3 pt-2.5 font-mono text-12 leading-5">
        <JsonNode key={depth} value={value} level={0} openTo={depth} last />
      </section>
    </div>
  );
}
