"use client";

import { navGroups } from "#components/shell/navigation/navigation";
import { useOpenPage } from "#components/shell/navigation/use-open-page";
import type { Command } from "./commands.tsx";

export function useGoToCommands(sandbox: boolean): Command[] {
  const open = useOpenPage();
  return navGroups(sandbox)
    .flatMap(({ items }) => items)
    .map(({ href, label, letter }) => ({ label: `Go to ${label}`, keys: `g ${letter}`, quiet: true, run: () => open(href) }));
}
