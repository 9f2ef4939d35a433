"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { LoadingState } from "#components/ui/layout/empty-state";
import type { OverlayPane } from "#components/ui/overlay/overlay";
import { DialogPane } from "#components/ui/overlay/panes/dialog-pane";
import { Button } from "#components/ui/primitives/button";
import { operationQuery } from "#lib/client/queries/operations";
import { type Counted, useReleasable } from "#lib/client/queries/quarantine/releases";
import { isUnderWay } from "#lib/contracts/operations/operation-states";
import { ReleasableCount, ReleaseProgress } from "./release-progress.tsx";

type ReleaseDialogProps = OverlayPane & {
  count: Counted;
  title: string;
  description: string;
  releaseLabel: (count: number) => string;
  start: { isSuccess: boolean; isPending: boolean; error: Error | null; reset: () => void; run: () => void };
  operationId: string | undefined;
  before?: ReactNode;
  after?: ReactNode;
};

export function ReleaseDialog({ count, title, description, releaseLabel, start, operationId, before, after, ...pane }: ReleaseDialogProps) {
  const { state, retry } = useReleasable(count, pane.open && !start.isSuccess);
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
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={() => change(false)}>{counting || ready ? "Cancel" : "Close"}</Button>
          {error ? <Button onClick={retry}>Try again</Button> : null}
          {ready ? (
            <Button variant="primary" loading={start.isPending} onClick={start.run}>
              {releaseLabel(counted.verifying)}
            </Button>
          ) : null}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {start.error ? <ProblemNotice announce what="Couldn't start the release" why={start.error.message} /> : null}
        {start.isSuccess ? (
          <>
            {operationId === undefined ? null : <Running id={operationId} />}
            {after}
          </>
        ) : (
          <>
            <ReleasableCount state={state} />
            {error ? null : before}
          </>
        )}
      </div>
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
