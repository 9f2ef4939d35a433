"use client";

import { Command } from "cmdk";
import type { ReactNode } from "react";
import { Kbd } from "#components/ui/primitives/kbd";

export function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:text-faint"
    >
      {children}
    </Command.Group>
  );
}

type ItemProps = {
  /** What typed text is matched with; no two items share it. */
  value: string;
  /** Other words that find it. */
  also?: string[] | undefined;
  icon: ReactNode;
  keys?: string | undefined;
  /** Small, at the end of the row. */
  beside?: string;
  onSelect: () => void;
  children: ReactNode;
};

export function Item({ value, also, icon, keys, beside, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      {...(also && { keywords: also })}
      className="flex h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2 text-13 data-[selected=true]:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-faint"
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {beside === undefined ? null : <span className="max-w-[45%] shrink-0 truncate text-12 text-muted">{beside}</span>}
      {keys === undefined ? null : <Kbd>{keys}</Kbd>}
    </Command.Item>
  );
}
