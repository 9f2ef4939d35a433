"use client";

import { ArrowRight, LogOut, Search, Settings, Zap } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { useState } from "react";
import { navGroups } from "#components/shell/navigation/navigation";
import { runOnArrival, useCommandList } from "#components/shell/palette/commands";
import type { PaletteScope } from "#components/shell/palette/places";
import { actionsFor, pagesFor } from "#components/shell/palette/places";
import { recentPages } from "#components/shell/palette/recent";
import { signOut } from "#components/shell/sign-out";
import { THEMES } from "#components/shell/themes";
import { Group, Item } from "./palette-items.tsx";

export const SEARCH_EVENTS = "search events";

type Props = PaletteScope & { close: () => void };

/** The page's own actions, those that begin elsewhere, and every page. */
export function PlaceGroups({ rights, scope, close }: Props) {
  const router = useRouter();
  const commands = useCommandList().filter(({ run, quiet }) => run && !quiet);
  const own = [...new Map(commands.map((command) => [command.label, command])).values()];
  const elsewhere = actionsFor(rights).filter(({ label }) => !own.some((command) => command.label === label));
  const [recent] = useState(() => new Set(recentPages(scope).map(({ href }) => href)));
  const go = (href: string) => {
    close();
    router.push(href);
  };
  return (
    <>
      {own.length === 0 ? null : (
        <Group heading="Actions">
          {own.map(({ label, keys, run }) => (
            <Item
              key={label}
              value={label}
              icon={<Zap aria-hidden />}
              keys={keys}
              onSelect={() => {
                close();
                // The palette restores the focus first; what the command opens may then take it.
                setTimeout(() => run?.());
              }}
            >
              {label}
            </Item>
          ))}
        </Group>
      )}
      <Group heading="Go to">
        {navGroups(rights.sandbox)
          .flatMap(({ items }) => items)
          .map((item) => (
            <Item key={item.href} value={item.label} icon={<item.icon aria-hidden />} onSelect={() => go(item.href)}>
              {item.label}
            </Item>
          ))}
        {pagesFor(rights)
          .filter(({ href }) => !recent.has(href))
          .map(({ href, label, also }) => (
            <Item key={href} value={label} also={also} icon={<Settings aria-hidden />} onSelect={() => go(href)}>
              {label}
            </Item>
          ))}
      </Group>
      <Group heading="Actions on other pages">
        {elsewhere.map(({ label, href, runs, also }) => (
          <Item
            key={label}
            value={label}
            also={also}
            icon={<ArrowRight aria-hidden />}
            onSelect={() => {
              runOnArrival(runs ?? null);
              go(href);
            }}
          >
            {label}
          </Item>
        ))}
      </Group>
    </>
  );
}

/** The theme, sign-out, and the search for events by the text. */
export function EverywhereGroups({ text, close }: { text: string; close: () => void }) {
  const router = useRouter();
  const { setTheme } = useTheme();
  const search = () => {
    close();
    router.push(`/events?q=${encodeURIComponent(text.trim())}`);
  };
  return (
    <>
      <Group heading="Appearance and account">
        {THEMES.map((theme) => (
          <Item
            key={theme.value}
            value={`Theme ${theme.label}`}
            icon={theme.icon}
            onSelect={() => {
              setTheme(theme.value);
              close();
            }}
          >
            {`Theme: ${theme.label.toLowerCase()}`}
          </Item>
        ))}
        <Item value="Sign out" icon={<LogOut aria-hidden />} onSelect={() => void signOut()}>
          Sign out
        </Item>
      </Group>
      <Group heading="Search">
        <Item value={SEARCH_EVENTS} icon={<Search aria-hidden />} onSelect={search}>
          Search events{text.trim() === "" ? null : " for "}
          <span className="font-mono text-12">{text.trim()}</span>
        </Item>
      </Group>
    </>
  );
}
