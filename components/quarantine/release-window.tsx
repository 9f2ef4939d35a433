"use client";

import { useQuery } from "@tanstack/react-query";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { LoadingState } from "#components/ui/layout/empty-state";
import { formatNumber } from "#components/ui/lists/count";
import type { OverlayPane } from "#components/ui/overlay/overlay";
import { DialogPane } from "#components/ui/overlay/panes/dialog-pane";
import { Button } from "#components/ui/primitives/button";
import { operationQuery } from "#lib/client/queries/operations";
import { useReleasable, useStartRelease } from "#lib/client/queries/quarantine/releases";
import { isUnderWay } from "#lib/contracts/operations/operation-states";
import type { ReleasesBody } from "#lib/contracts/quarantine";
import { ReleasableCount, ReleaseProgress } from "./release-progress.tsx";

/** Verifies all quarantined requests again: counts how many can be released, then has them released in the background. */
export function ReleaseWindow({ filter, ...pane }: OverlayPane & { filter: ReleasesBody["filter"] }) {
  const start = useStartRelease();
  const { state, retry } = useReleasable(filter, pane.open && !start.isSuccess);
  const { counting, counted, error } = state;
  const ready = !counting && !start.isSuccess && counted.verifying > 0;
  function change(next: boolean) {
    pane.onOpenChange(next);
    if (!next) start.reset();
  }
  return (
    <DialogPane
      {...pane}
      onOpenChange={change}
      title="Re-verify quarantined requests"
      description="Each request that was not verified on arrival is checked against the current secrets, and all are parsed again. Only verified, valid events are released."
      footer={
        <>
          <Button onClick={() => change(false)}>{counting || ready ? "Cancel" : "Close"}</Button>
          {error ? <Button onClick={retry}>Try again</Button> : null}
          {ready ? (
            <Button variant="primary" loading={start.isPending} onClick={() => start.mutate(filter)}>
              {`Release ${formatNumber(counted.verifying)}`}
            </Button>
          ) : null}
        </>
      }
    >
      {start.isError ? <ProblemNotice announce what="Couldn't start the release" why={start.error.message} /> : null}
      {start.isSuccess ? <Running id={start.data.id} /> : <ReleasableCount state={state} />}
    </DialogPane>
  );
}

function Running({ id }: { id: string }) {
  const { data } = useQuery(operationQuery(id));
  return (
    <div className="flex flex-col gap-3">
      {data ? <ReleaseProgress operation={data} allowed /> : <LoadingState what="the progress" rows={1} />}
      {data && !isUnderWay(data) ? null : <p className="text-13 text-muted">This runs in the background. You can close this window.</p>}
    </div>
  );
}
