import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { shortId } from "#components/records/resource-id";
import { Banner, ProblemNotice } from "#components/ui/feedback/problem-notice";
import { LoadingState, mayHelp } from "#components/ui/layout/content-states";
import type { OverlayPane } from "#components/ui/overlay/overlay";
import { DialogPane } from "#components/ui/overlay/panes/dialog-pane";
import { Button } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { ExactTime, TimeAgo } from "#components/ui/relative-time";
import { sourceHref } from "#lib/client/format/resource-links";
import { operationQuery } from "#lib/client/queries/operations";
import { type Counted, useAcceptAgain, useReleasable, useStartRelease } from "#lib/client/queries/quarantine-releases";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import { isUnderWay } from "#lib/contracts/operation-states";
import type { QuarantineDiagnoses, ReleasesBody } from "#lib/contracts/quarantine";
import { NotKept } from "./not-kept.tsx";
import { ReleasableCount, ReleaseProgress } from "./release-progress.tsx";

export type ReleaseWindowProps = {
  filter: ReleasesBody["filter"];
  /** Also release requests with a valid signature that arrived too late. */
  late?: boolean;
};

export function ReleaseWindow({ filter, late = false, ...pane }: OverlayPane & ReleaseWindowProps) {
  const start = useStartRelease();
  return (
    <ReleaseDialog
      {...pane}
      count={{ filter, late }}
      title={late ? "Release requests that arrived late" : "Re-verify quarantined requests"}
      description={
        late
          ? "Their signatures are valid, but their timestamps were too far from the time of receipt. A late request may be a copy of an earlier one: an event that the log already has is skipped."
          : "Each request that was not verified on arrival is checked against the current secrets, and all are parsed again. Only verified, valid events are released."
      }
      releaseLabel={(count) => `Release ${formatNumber(count)}`}
      start={{ ...start, run: () => start.mutate({ filter, late }) }}
      operationId={start.data?.id}
    />
  );
}

/** Time for giving the sender the current secret. */
export const ACCEPT_HOURS = 24;

export type AcceptWindowProps = { group: QuarantineDiagnoses["data"][number]; secret: string };

export function AcceptWindow({ group, secret, ...pane }: OverlayPane & AcceptWindowProps) {
  const { source, sourceId, evidence, senders } = group;
  const accept = useAcceptAgain(sourceId);
  const retiredAt = evidence.find(({ label }) => label === "Retired at")?.value;
  const name = shortId(secret);
  return (
    <ReleaseDialog
      {...pane}
      count={{ filter: { source, about: secret }, accept: secret }}
      title={`Accept ${name} again for ${ACCEPT_HOURS}\u00a0h`}
      description={`${source} still gets requests signed with this secret, which was replaced. They are verified with it again; only valid events are released.`}
      releaseLabel={(count) => `Accept for ${ACCEPT_HOURS} h and release ${formatNumber(count)}`}
      start={{ ...accept, run: () => accept.mutate({ secret, hours: ACCEPT_HOURS, release: true }) }}
      operationId={accept.data?.operation?.id}
      before={
        <>
          <Banner tone="attention">
            Whoever holds {name} can send events to {source} for {ACCEPT_HOURS} hours. If it was replaced because it leaked, cancel.
          </Banner>
          <p className="text-13 text-muted">
            {retiredAt === undefined ? null : (
              <>
                Retired <TimeAgo at={retiredAt} titled />.{" "}
              </>
            )}
            {`The requests come from ${countWords(senders, "IP address", "IP addresses")}.`}
          </p>
          <NotKept group={group} advice />
        </>
      }
      after={
        accept.data === undefined ? null : (
          <p className="text-13">
            Accepted until <ExactTime at={accept.data.validUntil} />. Before then, set the current secret at the sender. You can end it
            sooner in <TextLink href={sourceHref(source)}>Sources and secrets</TextLink>.
          </p>
        )
      }
    />
  );
}

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

function ReleaseDialog({ count, title, description, releaseLabel, start, operationId, before, after, ...pane }: ReleaseDialogProps) {
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
          {error && mayHelp(error) ? <Button onClick={retry}>Try again</Button> : null}
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
