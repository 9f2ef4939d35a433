"use client";

import { CircleHelp } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTheme } from "next-themes";
import type { MouseEvent } from "react";
import { BrandMark, useProductVersion } from "#components/shell/brand-mark";
import { reachWord, useReach } from "#components/shell/live/connection";
import { type LiveStatus, useLive } from "#components/shell/live/live-provider";
import { CommandPalette } from "#components/shell/palette/command-palette";
import { useCommandList } from "#components/shell/palette/commands";
import type { PaletteScope } from "#components/shell/palette/palette-groups";
import { useSignOut } from "#components/shell/sign-out";
import { MenuIcon, THEMES } from "#components/shell/themes";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { toast } from "#components/ui/feedback/toast";
import type { MenuEntry } from "#components/ui/overlay/panes/menu-pane";
import { DropdownMenu, Popover } from "#components/ui/overlay/popover";
import { cn } from "#components/ui/primitives/cn";
import { Kbd } from "#components/ui/primitives/kbd";
import { PageLink } from "#components/ui/primitives/page-link";
import { useNow } from "#components/ui/ticking-time";
import { durationWords } from "#components/ui/time-format";
import type { Role } from "#lib/contracts/auth/settings";
import { isCurrent, navGroups } from "./navigation.tsx";

type TopBarProps = { palette: PaletteScope; user: { name: string | null; email: string; role: Role } };

export function TopBar({ palette, user }: TopBarProps) {
  const path = usePathname();
  const here = navGroups(palette.rights.sandbox)
    .flatMap(({ items }) => items)
    .find(({ href }) => isCurrent(href, path));
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b border-line bg-surface px-4 rail:px-6 print:hidden">
      <PageLink href="/" aria-label="Signalbox, overview" className="rail:hidden">
        <BrandMark />
      </PageLink>
      <div className="min-w-0 flex-1 truncate text-13 text-muted">
        {here === undefined ? null : (
          <PageLink href={here.href} className="rounded-sm hover:text-text">
            {here.label}
          </PageLink>
        )}
      </div>
      {/* As wide as what it holds: a browser that has a part of the page shows that part where it stays. */}
      <div className="flex shrink-0 items-center gap-2 rail:w-[536px]">
        <CommandPalette {...palette} />
        <LiveIndicator />
        <HelpMenu />
        <UserMenu {...user} />
      </div>
    </header>
  );
}

const LivePanel = lazyComponent(() => import("#components/shell/live/live-panel").then((module) => module.LivePanel));

const LOOKS: Record<LiveStatus, { word: string; dot: string }> = {
  connecting: { word: "Connecting", dot: "bg-working-mark" },
  live: { word: "Live", dot: "bg-fine-mark" },
  reconnecting: { word: "Reconnecting", dot: "bg-attention-mark" },
  paused: { word: "Paused", dot: "bg-line-control" },
};

function LiveIndicator() {
  const live = useLive();
  const { status, since, lastEventAt, delaySeconds } = live;
  const now = useNow();
  const reach = useReach();
  const failing = reachWord(reach);
  const word = failing ?? LOOKS[status].word;
  const late = failing !== null || status === "reconnecting" || status === "paused";
  const delayed = failing === null && status === "live" && delaySeconds > 0;
  const attention = failing !== null || delayed || status === "reconnecting";
  const aside = delayed
    ? `delayed ${durationWords(delaySeconds * 1000)}`
    : late
      ? `for ${durationWords(Math.max(1000, now - (failing === null ? since : reach.since)))}`
      : lastEventAt === null || status === "connecting"
        ? null
        : `last event ${durationWords(Math.max(1000, now - Date.parse(lastEventAt)))} ago`;
  return (
    <Popover
      label="Live feed"
      align="end"
      trigger={
        // A fixed width, so that nothing next to it moves when the text changes.
        <button
          type="button"
          className="flex h-8 min-w-14 items-center gap-2 rounded-md px-2 text-12 text-muted hover:bg-hover hover:text-text rail:w-52"
        >
          <span
            aria-hidden
            className={cn("size-2 shrink-0 rounded-full", attention ? `rounded-sm ${LOOKS.reconnecting.dot}` : LOOKS[status].dot)}
          />
          <span className={cn(late && "font-medium text-text", failing === null && status === "connecting" && "max-rail:sr-only")}>
            {word}
          </span>
          {aside === null ? null : (
            <span className="truncate text-faint tabular-nums max-rail:hidden" suppressHydrationWarning>
              {aside}
            </span>
          )}
        </button>
      }
    >
      <LivePanel live={live} now={now} failing={failing !== null} delayed={delayed} />
    </Popover>
  );
}

function HelpMenu() {
  const version = useProductVersion();
  const showKeys = useCommandList().find(({ keys }) => keys === "?")?.run;
  return (
    <DropdownMenu
      label="Help"
      className="min-w-56"
      entries={[
        { kind: "item", label: "Documentation", icon: <MenuIcon name="documentation" />, href: "/docs/configuration" },
        { kind: "item", label: "API reference", icon: <MenuIcon name="api" />, href: "/api-reference" },
        {
          kind: "item",
          label: "Keyboard shortcuts",
          icon: <MenuIcon name="keys" />,
          hint: <Kbd>?</Kbd>,
          // The menu restores the focus first; then the sheet takes it.
          onSelect: () => setTimeout(() => showKeys?.()),
        },
        { kind: "line" },
        { kind: "content", content: <p className="px-2 py-1.5 text-12 text-muted">Signalbox {version}</p> },
      ]}
      trigger={
        <button
          type="button"
          aria-label="Help"
          className="flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
        >
          <CircleHelp aria-hidden className="size-4" />
        </button>
      }
    />
  );
}

function UserMenu({ name, email, role }: { name: string | null; email: string; role: Role }) {
  const { theme = "system", setTheme } = useTheme();
  const signOut = useSignOut();
  const entries: MenuEntry[] = [
    { kind: "content", content: <Who name={name} email={email} role={role} /> },
    { kind: "line" },
    { kind: "label", label: "Theme" },
    { kind: "choice", value: theme, onChange: setTheme, options: THEMES },
    { kind: "line" },
    { kind: "item", label: "Your account", icon: <MenuIcon name="account" />, href: "/settings/account" },
    { kind: "item", label: "Settings", icon: <MenuIcon name="settings" />, href: "/settings" },
    { kind: "item", label: "Sign out", icon: <MenuIcon name="signOut" />, onSelect: () => void signOut().catch(reportSignOutFailure) },
  ];
  return (
    <DropdownMenu
      className="min-w-56"
      label={`Account menu for ${email}`}
      entries={entries}
      trigger={
        <button
          type="button"
          aria-label={`Account menu for ${email}`}
          className="flex size-8 items-center justify-center rounded-full border border-line-strong bg-raised text-12 font-medium hover:bg-hover"
        >
          {(name ?? email).charAt(0).toUpperCase()}
        </button>
      }
    />
  );
}

function Who({ name, email, role }: { name: string | null; email: string; role: Role }) {
  return (
    <div className="px-2 py-1.5">
      <p className="truncate text-13 font-medium">{name ?? email}</p>
      <p className="truncate text-12 text-muted">{name === null ? `Role: ${role}` : `${email} · ${role}`}</p>
    </div>
  );
}

function reportSignOutFailure() {
  toast.error("Couldn't sign out", { description: "Signalbox isn't responding. Try again." });
}

/** First stop of the Tab key. It adds no history entry: Next can't return to one that it did not make. */
export function SkipLink({ target }: { target: string }) {
  function skip(event: MouseEvent) {
    const content = document.getElementById(target);
    if (!content) return;
    event.preventDefault();
    content.focus();
  }
  return (
    <a
      href={`#${target}`}
      onClick={skip}
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-1.5 text-13 font-medium text-accent-contrast focus:translate-y-0 print:hidden"
    >
      Skip to content
    </a>
  );
}
