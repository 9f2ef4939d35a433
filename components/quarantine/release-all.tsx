"use client";

import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { LoadingState } from "#components/ui/layout/empty-state";
import { formatNumber } from "#components/ui/lists/count";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { operationQuery } from "#lib/client/queries/operations";
import { useReleasable, useStartRelease } from "#lib/client/queries/quarantine/releases";
import { isUnderWay } from "#lib/contracts/operations";
import type { ReleasesBody } from "#lib/contracts/quarantine";
import { ReleasableCount, ReleaseProgress } from "./release-progress.tsx";

type ReleaseAllProps = {
  filter: ReleasesBody["filter"];
  label: string;
  variant: "primary" | "secondary";
  /** Whether the button is there; a window that is open stays, also when nothing is left to release. */
  offered?: boolean;
};

/** Verifies all quarantined requests again: counts how many can be released, then has them released in the background. */
export function ReleaseAll({ filter, label, variant, offered = true }: ReleaseAllProps) {
  const [open, setOpen] = useState(false);
  const start = useStartRelease();
  const { state, retry } = useReleasable(filter, open && !start.isSuccess);
  const { counting, counted, error } = state;
  const ready = !counting && !start.isSuccess && counted.verifying > 0;
  const show = (wanted: boolean) => {
    if (wanted) start.reset();
    setOpen(wanted);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={show}
      title="Re-verify quarantined requests"
      description="Each request that was not verified on arrival is checked against the current secrets, and all are parsed again. Only verified, valid events are released."
      {...(offered && {
        trigger: (
          <Button variant={variant} size={variant === "primary" ? "md" : "sm"} icon={<ShieldCheck aria-hidden />}>
            {label}
          </Button>
        ),
      })}
      footer={
        <>
          <Button onClick={() => setOpen(false)}>{counting || ready ? "Cancel" : "Close"}</Button>
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
    </Dialog>
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
