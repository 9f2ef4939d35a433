"use client";

import { CircleHelp } from "lucide-react";
import { usePathname } from "next/navigation";
import type { MouseEvent } from "react";
import { BrandMark } from "#components/shell/brand-mark";
import { reachWord, useReach } from "#components/shell/live/connection";
import { type LiveStatus, useLive } from "#components/shell/live/live-provider";
import { CommandPalette } from "#components/shell/palette/command-palette";
import type { PaletteScope } from "#components/shell/palette/palette-groups";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { overlay } from "#components/ui/overlay/overlay";
import type { PaneOptions } from "#components/ui/overlay/panes/use-pane-content";
import { popoverWith } from "#components/ui/overlay/popover";
import { cn } from "#components/ui/primitives/cn";
import { PageLink } from "#components/ui/primitives/page-link";
import { useNow } from "#components/ui/relative-time";
import { durationWords } from "#components/ui/time-format";
import { isCurrent, navGroups } from "./navigation.tsx";
import type { User } from "./top-menus.tsx";

// Not in the first load: until a page's title is known there is nothing to show.
const PageCrumb = lazyComponent(() => import("#components/shell/palette/recent").then((module) => module.PageCrumb), true);

type TopBarProps = { palette: PaletteScope; user: User };

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
      {here === undefined ? (
        <div className="flex-1" />
      ) : (
        <nav aria-label="Breadcrumb" className="flex min-w-0 flex-1 items-center gap-1.5 text-13 text-muted">
          <PageLink href={here.href} className="shrink-0 rounded-sm hover:text-text">
            {here.label}
          </PageLink>
          <PageCrumb section={here.href} />
        </nav>
      )}
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

const loadPanel = () => import("#components/shell/live/live-panel").then((module) => module.LivePanel);
const LivePanel = lazyComponent(loadPanel);
const LivePopover = popoverWith(loadPanel);

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
    <LivePopover
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
    </LivePopover>
  );
}

// What the menus hold is not in the first load.
const HelpPane = overlay<PaneOptions>("menu", () => import("./top-menus.tsx").then((module) => module.HelpPane));
const UserPane = overlay<PaneOptions & { user: User }>("menu", () => import("./top-menus.tsx").then((module) => module.UserPane));

const HelpMenu = () => (
  <HelpPane
    label="Help"
    trigger={
      <button
        type="button"
        aria-label="Help"
        className="flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
      >
        <CircleHelp className="size-4" />
      </button>
    }
  />
);

function UserMenu(user: User) {
  const label = `Account menu for ${user.email}`;
  return (
    <UserPane
      label={label}
      user={user}
      trigger={
        <button
          type="button"
          aria-label={label}
          className="flex size-8 items-center justify-center rounded-full border border-line-strong bg-raised text-12 font-medium hover:bg-hover"
        >
          {(user.name ?? user.email).charAt(0).toUpperCase()}
        </button>
      }
    />
  );
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
