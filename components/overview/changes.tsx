"use client";

import { useQuery } from "@tanstack/react-query";
import { PageLink } from "#components/ui/primitives/page-link";
import { RelativeTime } from "#components/ui/time/relative-time";
import { changesQuery } from "#lib/client/queries/overview";
import { cappedNumber, nounFor } from "#lib/contracts/counts/format-count";
import type { Changes as ChangesSince } from "#lib/contracts/overview";

/** Shows changes since this user's last visit, each linked to its list. Nothing at the first visit. */
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
          <PageLink
            key={href}
            href={href}
            className="rounded-sm text-accent-text underline decoration-line-strong underline-offset-2 hover:decoration-current"
          >
            {words}
          </PageLink>
        ))
      )}
    </section>
  );
}

function itemsOf(changes: ChangesSince, since: string): { words: string; href: string }[] {
  const { events, openedIssues, resolvedIssues, quarantined, connections } = changes;
  /** The API counts events up to 100,001, the rest up to 1,001. */
  const words = (count: number, noun: string, cap?: number) => `${cappedNumber(count, cap)} ${nounFor(count, noun)}`;
  return [
    { count: openedIssues, words: `${words(openedIssues, "issue")} opened`, href: "/issues" },
    {
      count: resolvedIssues,
      words: `${words(resolvedIssues, "issue")} resolved`,
      href: "/issues?state=resolved",
    },
    { count: connections, words: `${words(connections, "connection")} changed`, href: "/connections" },
    { count: quarantined, words: `${cappedNumber(quarantined)} quarantined`, href: "/quarantine" },
    { count: events, words: words(events, "event", 100_000), href: `/events?from=${encodeURIComponent(since)}` },
  ].filter(({ count }) => count > 0);
}
