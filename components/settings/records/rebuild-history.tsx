"use client";

import { StateBadge } from "#components/records/badges/state-badge";
import { Section } from "#components/ui/layout/section";
import { RelativeTime } from "#components/ui/time/relative-time";
import { countWords } from "#lib/contracts/counts/format-count";
import type { ViewRebuild } from "#lib/contracts/view-rebuilds";
import { outcomeOf } from "./rebuild-labels.tsx";

export function RebuildHistory({ rebuilds }: { rebuilds: ViewRebuild[] }) {
  return (
    <Section title="Earlier">
      <ul className="divide-y divide-line border-y border-line">
        {rebuilds.map((rebuild) => {
          const { state, word } = outcomeOf(rebuild);
          return (
            <li data-row key={rebuild.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-13">
              <StateBadge state={state}>{word}</StateBadge>
              <span>{rebuild.dryRun ? "Check" : "Rebuild"}</span>
              {rebuild.report ? <span className="text-muted">{countWords(rebuild.report.events, "event")}</span> : null}
              <span className="ml-auto text-12 text-muted">
                <RelativeTime at={rebuild.finishedAt ?? rebuild.createdAt} />
                {rebuild.requestedBy === null ? "" : ` by ${rebuild.requestedBy}`}
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
