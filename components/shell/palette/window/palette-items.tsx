"use client";

import { Command } from "cmdk";
import type { ReactNode } from "react";
import { Kbd } from "#components/ui/primitives/kbd";

export type PaletteItem = {
  /** Compared with the typed text; unique. */
  value: string;
  also?: string[] | undefined;
  icon: ReactNode;
  label: ReactNode;
  keys?: string | undefined;
  beside?: string;
  run: () => void;
};

export type PaletteGroup = { heading: string; items: PaletteItem[] };

export function Group({ heading, items }: PaletteGroup) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:text-faint"
    >
      {items.map((item) => (
        <Item key={item.value} {...item} />
      ))}
    </Command.Group>
  );
}

function Item({ value, icon, label, keys, beside, run }: PaletteItem) {
  return (
    <Command.Item
      value={value}
      onSelect={run}
      className="flex h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2 text-13 data-[selected=true]:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-faint"
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {beside === undefined ? null : <span className="max-w-[45%] shrink-0 truncate text-12 text-muted">{beside}</span>}
      {keys === undefined ? null : <Kbd>{keys}</Kbd>}
    </Command.Item>
  );
}
