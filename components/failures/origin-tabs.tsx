"use client";

import { Button } from "#components/ui/button";
import type { FailureItem } from "#lib/contracts/events";

const ORIGINS = [
  ["all", "All"],
  ["processing", "Could not be applied"],
  ["platform", "Reported by the platform"],
] as const;

export type Origin = (typeof ORIGINS)[number][0];

export const readOrigin = (text: string | null): Origin => ORIGINS.find(([origin]) => origin === text)?.[0] ?? "all";

type OriginTabsProps = { items: FailureItem[]; more: boolean; origin: Origin };

/** Whose failures are shown. The address holds the choice. The numbers count what is loaded. */
export function OriginTabs({ items, more, origin }: OriginTabsProps) {
  const choose = (next: Origin) => window.history.replaceState(null, "", next === "all" ? "/failures" : `/failures?origin=${next}`);
  const countOf = (one: Origin) => (one === "all" ? items.length : items.filter((item) => item.origin === one).length);
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">Whose failures</legend>
      {ORIGINS.map(([value, label]) => (
        <Button
          key={value}
          size="sm"
          variant={value === origin ? "secondary" : "ghost"}
          aria-pressed={value === origin}
          onClick={() => choose(value)}
        >
          {label}
          <span className="text-faint tabular-nums">{`${countOf(value)}${more ? "+" : ""}`}</span>
        </Button>
      ))}
    </fieldset>
  );
}
