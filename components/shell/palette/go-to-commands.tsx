"use client";

import { useRouter } from "next/navigation";
import { navGroups } from "#components/shell/navigation/navigation";
import type { Command } from "./commands.tsx";

/** `g` and the letter of a page, for every page of the navigation. */
export function useGoToCommands(sandbox: boolean): Command[] {
  const router = useRouter();
  return navGroups(sandbox)
    .flatMap(({ items }) => items)
    .map(({ href, label, letter }) => ({ label: `Go to ${label}`, keys: `g ${letter}`, quiet: true, run: () => router.push(href) }));
}
