"use client";

import { OperationProgress } from "#components/records/operation-progress";
import { Panel, PanelBody, PanelHeader } from "#components/ui/layout/panel";
import { operationOfRebuild } from "#lib/contracts/operations/operation-states";
import type { ViewRebuild } from "#lib/contracts/view-rebuilds";

export function RebuildProgress({ rebuild, canRebuild }: { rebuild: ViewRebuild; canRebuild: boolean }) {
  return (
    <Panel>
      <PanelHeader
        title={rebuild.dryRun ? "Checking records against the log" : "Rebuilding records"}
        hint="Live records don't change until it finishes."
      />
      <PanelBody>
        <OperationProgress operation={operationOfRebuild(rebuild)} allowed={canRebuild} unit="events" phaseWords={phaseWords(rebuild)}>
          {rebuild.state === "stopped" ? (
            <p className="text-12 text-muted">Stopped before it finished. No records were changed. Resuming replays the log again.</p>
          ) : null}
        </OperationProgress>
      </PanelBody>
    </Panel>
  );
}

function phaseWords({ state, phase }: ViewRebuild): string | undefined {
  if (state !== "running") return undefined;
  if (phase === "comparing") return "All events replayed; comparing field by field";
  return phase === "writing" ? "Writing the differences in one transaction" : undefined;
}
