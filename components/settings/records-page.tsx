"use client";

import { ListChecks } from "lucide-react";
import { StateBadge } from "#components/records/state-badge";
import { tellFailure } from "#components/ui/feedback/toast";
import { NothingYet, withFallback } from "#components/ui/layout/content-states";
import { Section } from "#components/ui/layout/section";
import { ConfirmDialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/relative-time";
import { isRebuilding, useRebuilds, useStartRebuild } from "#lib/client/queries/maintenance";
import { countWords } from "#lib/contracts/format-count";
import type { ViewRebuild } from "#lib/contracts/views";
import { outcomeOf, RebuildProgress, RebuildResult } from "./rebuild-result.tsx";

export function RecordsPage({ canRebuild }: { canRebuild: boolean }) {
  const { data, fallback } = withFallback(useRebuilds(), { what: "recent checks", rows: 4 });
  const busy = data?.some(isRebuilding) ?? false;
  return (
    <Section
      title="Records"
      description="Documents, tasks, pipelines, automations and integrations are built from your events. Check that they match the event log, or rebuild them."
    >
      {canRebuild ? <Actions busy={busy} /> : null}
      {data ? <Rebuilds rebuilds={data} canRebuild={canRebuild} /> : fallback}
    </Section>
  );
}

function Actions({ busy }: { busy: boolean }) {
  const start = useStartRebuild();
  const check = () => tellFailure(start.mutateAsync(true), "Couldn't start the check");
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={check} loading={start.isPending} disabled={busy}>
        Check against the log
      </Button>
      <ConfirmDialog
        trigger={
          <Button variant="primary" disabled={busy}>
            Rebuild records
          </Button>
        }
        title="Rebuild records from the log?"
        description="Every event is replayed alongside the live records. Records that differ are then replaced in one step; data whose events are no longer in the log is kept. Events are still received in the meantime, and if you stop, nothing changes."
        confirmLabel="Rebuild records"
        onConfirm={() => start.mutateAsync(false)}
      />
    </div>
  );
}

function Rebuilds({ rebuilds, canRebuild }: { rebuilds: ViewRebuild[]; canRebuild: boolean }) {
  const running = rebuilds.find(isRebuilding);
  const ended = rebuilds.filter((rebuild) => !isRebuilding(rebuild));
  const [latest] = ended;
  if (!running && !latest)
    return (
      <NothingYet icon={<ListChecks aria-hidden />} title="Never checked">
        Records are updated with every event. A check replays the whole log and reports whether the result is identical, byte for byte.
      </NothingYet>
    );
  return (
    <div className="flex flex-col gap-6">
      {running ? <RebuildProgress rebuild={running} canRebuild={canRebuild} /> : null}
      {latest ? <RebuildResult rebuild={latest} canResume={canRebuild && !running} /> : null}
      {ended.length > 1 ? <RebuildHistory rebuilds={ended.slice(1)} /> : null}
    </div>
  );
}

function RebuildHistory({ rebuilds }: { rebuilds: ViewRebuild[] }) {
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
