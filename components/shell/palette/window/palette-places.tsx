"use client";

import { ArrowRight, LogOut, Search, Settings, Zap } from "lucide-react";
import { useTheme } from "next-themes";
import { useState } from "react";
import { navGroups } from "#components/shell/navigation/navigation";
import { type Command, runOnArrival, useCommandList } from "#components/shell/palette/commands";
import { actionsFor, OTHER_WORDS, type PaletteScope, pagesFor } from "#components/shell/palette/places";
import { recentPages } from "#components/shell/palette/recent";
import { THEMES } from "#components/shell/themes";
import type { PaletteGroup, PaletteItem } from "./palette-items.tsx";
import { SEARCH_EVENTS } from "./palette-rank.ts";

type Props = PaletteScope & { close: () => void; go: (href: string) => void };

export function usePlaceGroups({ rights, scope, close, go }: Props): [own: PaletteGroup, ...PaletteGroup[]] {
  const commands = useCommandList().filter(({ run, quiet }) => run && !quiet);
  const own = [...new Map(commands.map((command) => [command.label, command])).values()];
  const elsewhere = actionsFor(rights).filter(({ label }) => !own.some((command) => command.label === label));
  const [recent] = useState(() => new Set(recentPages(scope).map(({ href }) => href)));
  const pages = navGroups(rights.sandbox).flatMap(({ items }) => items);
  const itemOf = ({ label, keys, run }: Command): PaletteItem => ({
    value: label,
    icon: <Zap aria-hidden />,
    label,
    keys,
    run: () => {
      close();
      // The palette restores the focus first; then the command's target may take it.
      setTimeout(() => run?.());
    },
  });
  return [
    { heading: "Actions", items: own.filter(({ everywhere }) => !everywhere).map(itemOf) },
    {
      heading: "Go to",
      items: [
        ...pages.map(({ href, label, icon: Icon }) => ({
          value: label,
          also: OTHER_WORDS[href],
          icon: <Icon aria-hidden />,
          label,
          run: () => go(href),
        })),
        ...pagesFor(rights)
          .filter(({ href }) => !recent.has(href))
          .map(({ href, label, also }) => ({ value: label, also, icon: <Settings aria-hidden />, label, run: () => go(href) })),
      ],
    },
    { heading: "On every page", items: own.filter(({ everywhere }) => everywhere).map(itemOf) },
    {
      heading: "Actions on other pages",
      items: elsewhere.map(({ label, href, runs, also }) => ({
        value: label,
        also,
        icon: <ArrowRight aria-hidden />,
        label,
        run: () => {
          runOnArrival(runs ?? null);
          go(href);
        },
      })),
    },
  ];
}

type Everywhere = { text: string; close: () => void; go: (href: string) => void; askToSignOut: () => void };

export function useEverywhereGroups({ text, close, go, askToSignOut }: Everywhere): PaletteGroup[] {
  const { setTheme } = useTheme();
  const closing = (run: () => void) => () => {
    close();
    run();
  };
  const typed = text.trim();
  return [
    {
      heading: "Appearance and account",
      items: [
        ...THEMES.map((theme) => ({
          value: `Theme ${theme.label}`,
          icon: theme.icon,
          label: `Theme: ${theme.label.toLowerCase()}`,
          run: closing(() => setTheme(theme.value)),
        })),
        { value: "Sign out", icon: <LogOut aria-hidden />, label: "Sign out", run: closing(askToSignOut) },
      ],
    },
    {
      heading: "Search",
      items: [
        {
          value: SEARCH_EVENTS,
          icon: <Search aria-hidden />,
          label: (
            <>
              Search events{typed === "" ? null : " for "}
              <span className="font-mono text-12">{typed}</span>
            </>
          ),
          run: () => go(`/events?q=${encodeURIComponent(typed)}`),
        },
      ],
    },
  ];
}
