"use client";

import { useQuery } from "@tanstack/react-query";
import { FlaskConical, RotateCw } from "lucide-react";
import { useId, useState } from "react";
import { DryRunReport } from "#components/events/dry-run-report";
import { RedeliveryControls, RedeliveryState } from "#components/events/redelivery-state";
import { Button } from "#components/ui/button";
import { formatNumber } from "#components/ui/count";
import { Dialog } from "#components/ui/dialog";
import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { TextLink } from "#components/ui/text-link";
import { frozenQuery, type RedeliverySet, redeliveryQuery, useDryRun, useSteer } from "#lib/client/redeliveries";

const countOf = (total: number) => (total === 1 ? "1 event" : `${formatNumber(total)} events`);

/** Freezes the set, says how many, tells on request what would happen, then runs it in the background. */
export function RedeliverDialog({ set, onClose }: { set: RedeliverySet; onClose: () => void }) {
  const frozen = useQuery(frozenQuery(set, useId()));
  const [name, setName] = useState("");
  const dryRun = useDryRun();
  const { start } = useSteer();
  const [began, setBegan] = useState(false);
  const { id = null, total = 0 } = frozen.data ?? {};
  const begin = () => id !== null && start.mutate({ id, name: name.trim() }, { onSuccess: () => setBegan(true) });
  const title = frozen.data ? `Re-deliver ${countOf(total)}` : "Re-deliver";
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description="Today's logic runs on the bytes as they were received. What was applied already changes nothing: that is harmless."
      className="max-w-[600px]"
      footer={
        began && id !== null ? (
          <Running id={id} onClose={onClose} />
        ) : (
          <>
            <Button
              disabled={id === null}
              loading={dryRun.isPending}
              icon={<FlaskConical aria-hidden />}
              onClick={() => id && dryRun.mutate(id)}
            >
              Dry run
            </Button>
            <Button variant="primary" disabled={id === null} loading={start.isPending} icon={<RotateCw aria-hidden />} onClick={begin}>
              {id === null ? "Re-deliver" : `Re-deliver ${countOf(total)}`}
            </Button>
          </>
        )
      }
    >
      {frozen.isError ? (
        <ErrorState what="the set" error={frozen.error} onRetry={() => void frozen.refetch()} />
      ) : !frozen.data ? (
        <LoadingState what="the set" rows={3} />
      ) : began && id !== null ? (
        <Progress id={id} />
      ) : id === null ? (
        <p className="text-13 text-muted">Nothing matches any more.</p>
      ) : (
        <div className="flex flex-col gap-4">
          <p className="text-13">{`The set is frozen: these ${countOf(total)}, whatever comes in meanwhile.`}</p>
          <Field label="Name" optional hint="Shown in the list of re-deliveries.">
            <Input value={name} maxLength={120} placeholder="After the fix of …" onChange={({ target }) => setName(target.value)} />
          </Field>
          {dryRun.isError ? <ErrorState what="the dry run" error={dryRun.error} /> : null}
          {start.isError ? <ErrorState what="the re-delivery" error={start.error} /> : null}
          {dryRun.data ? <DryRunReport outcome={dryRun.data} /> : null}
        </div>
      )}
    </Dialog>
  );
}

function Progress({ id }: { id: string }) {
  const { data } = useQuery(redeliveryQuery(id));
  return (
    <div className="flex flex-col gap-3">
      {data ? <RedeliveryState redelivery={data} /> : <LoadingState what="the progress" rows={1} />}
      <p className="text-13 text-muted">
        It runs in the background; close this when you like. <TextLink href="/redeliveries">All re-deliveries</TextLink>
      </p>
    </div>
  );
}

function Running({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useQuery(redeliveryQuery(id));
  return (
    <>
      {data ? <RedeliveryControls redelivery={data} allowed /> : null}
      <Button variant="primary" onClick={onClose}>
        Close
      </Button>
    </>
  );
}
