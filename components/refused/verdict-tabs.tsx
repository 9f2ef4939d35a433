"use client";

import { verdictGroup } from "#components/refused/verdict-words";
import { Button } from "#components/ui/button";
import type { QuarantineItem } from "#lib/contracts/quarantine";

type VerdictTabsProps = { items: QuarantineItem[]; more: boolean; chosen: string | null; onChoose: (group: string | null) => void };

/** What was refused, by why. The numbers count what is loaded. */
export function VerdictTabs({ items, more, chosen, onChoose }: VerdictTabsProps) {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(verdictGroup(item), (counts.get(verdictGroup(item)) ?? 0) + 1);
  if (counts.size < 2 && chosen === null) return null;
  const groups = [...counts].sort(([, a], [, b]) => b - a);
  const tabs: [group: string | null, label: string, count: number][] = [
    [null, "All", items.length],
    ...groups.map(([group, count]): [string, string, number] => [group, group, count]),
  ];
  return (
    <fieldset className="-m-1 flex min-w-0 gap-1 p-1 min-[700px]:flex-wrap max-[700px]:overflow-x-auto max-[700px]:[scrollbar-width:none]">
      <legend className="sr-only">Why they were refused</legend>
      {tabs.map(([group, label, count]) => (
        <Button
          key={label}
          size="sm"
          className="shrink-0"
          variant={group === chosen ? "secondary" : "ghost"}
          aria-pressed={group === chosen}
          onClick={() => onChoose(group)}
        >
          {label}
          <span className="text-faint tabular-nums">{`${count}${more ? "+" : ""}`}</span>
        </Button>
      ))}
    </fieldset>
  );
}
