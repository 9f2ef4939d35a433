"use client";

import { verdictGroup } from "#components/refused/verdict-words";
import { ChoiceButtons } from "#components/ui/choice-buttons";
import type { QuarantineItem } from "#lib/contracts/quarantine";

type VerdictTabsProps = { items: QuarantineItem[]; more: boolean; chosen: string | null; onChoose: (group: string | null) => void };

/** What was refused, by why. The numbers count what is loaded. */
export function VerdictTabs({ items, more, chosen, onChoose }: VerdictTabsProps) {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(verdictGroup(item), (counts.get(verdictGroup(item)) ?? 0) + 1);
  if (counts.size < 2 && chosen === null) return null;
  const groups = [...counts].sort(([, a], [, b]) => b - a);
  const tab = (value: string | null, label: string, count: number) => ({
    value,
    label,
    count: <span className="text-faint tabular-nums">{`${count}${more ? "+" : ""}`}</span>,
  });
  const tabs = [tab(null, "All", items.length), ...groups.map(([group, count]) => tab(group, group, count))];
  return <ChoiceButtons legend="Why they were refused" choices={tabs} chosen={chosen} onChoose={onChoose} />;
}
