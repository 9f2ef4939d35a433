"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RelativeTime } from "#components/ui/time/relative-time";
import { changesQuery } from "#lib/client/queries/overview";
import { formatNumber } from "#lib/contracts/counts/format-count";
import type { Changes as ChangesSince } from "#lib/contracts/overview";

/** The API counts events up to 100,001, the rest up to 1,001. */
const number = (count: number, most: number) => (count > most ? `${formatNumber(most)}+` : formatNumber(count));

/** Shows what changed since this person's last visit, each linked to its list. Nothing at the first visit. */
export function Changes() {
  const { data } = useQuery(changesQuery);
  if (!data || data.since === null) return null;
  const items = itemsOf(data, data.since);
  return (
    <section
      aria-label="Since your last visit"
      className="flex flex-wrap items-baseline gap-x-5 gap-y-1 border-y border-line py-2.5 text-13"
    >
      <h2 className="text-muted">
        Since your last visit <RelativeTime at={data.since} />
      </h2>
      {items.length === 0 ? (
        <p className="text-muted">No changes.</p>
      ) : (
        items.map(({ words, href }) => (
          <Link
            key={href}
            href={href}
            className="rounded-sm text-accent-text underline decoration-line-strong underline-offset-2 hover:decoration-current"
          >
            {words}
          </Link>
        ))
      )}
    </section>
  );
}

function itemsOf(changes: ChangesSince, since: string): { words: string; href: string }[] {
  const { events, openedIssues, resolvedIssues, quarantined, connections } = changes;
  const plural = (count: number, noun: string) => (count === 1 ? noun : `${noun}s`);
  return [
    { count: openedIssues, words: `${number(openedIssues, 1000)} ${plural(openedIssues, "issue")} opened`, href: "/issues" },
    {
      count: resolvedIssues,
      words: `${number(resolvedIssues, 1000)} ${plural(resolvedIssues, "issue")} resolved`,
      href: "/issues?state=resolved",
    },
    { count: connections, words: `${number(connections, 1000)} ${plural(connections, "connection")} changed`, href: "/connections" },
    { count: quarantined, words: `${number(quarantined, 1000)} quarantined`, href: "/quarantine" },
    { count: events, words: `${number(events, 100_000)} ${plural(events, "event")}`, href: `/events?from=${encodeURIComponent(since)}` },
  ].filter(({ count }) => count > 0);
}
