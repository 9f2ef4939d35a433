import { useQuery } from "@tanstack/react-query";
import { FlaskConical, RotateCw } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { Field } from "#components/ui/form";
import { ErrorState, LoadingState } from "#components/ui/layout/content-states";
import { Dialog } from "#components/ui/overlay/dialog";
import { StateIcon } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { TextLink } from "#components/ui/primitives/page-link";
import { frozenQuery, type RedeliverySet, redeliveryQuery, useDryRun, useStartRedelivery } from "#lib/client/queries/redeliveries";
import { writeJson } from "#lib/contracts/exact-json";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { DryRunOutcome, DryRunSample } from "#lib/contracts/redeliveries";
import { AlsoToDestinations } from "./also-to-destinations.tsx";
import { RedeliveryState } from "./redelivery-state.tsx";
import { shortId } from "./resource-id.tsx";

const countOf = (total: number) => countWords(total, "event");

type RedeliverDialogProps = {
  set: RedeliverySet;
  onClose: () => void;
  /** Runs the dry run at once; its result is shown before Re-deliver can be pressed. */
  dryRunFirst?: boolean;
  name?: string;
};

/** Freezes the set of events, shows its size, optionally does a dry run, then re-delivers in the background. */
export function RedeliverDialog({ set, onClose, dryRunFirst = false, name: suggested = "" }: RedeliverDialogProps) {
  const frozen = useQuery(frozenQuery(set, useId()));
  const [name, setName] = useState(suggested);
  const dryRun = useDryRun();
  useDryRunFirst(dryRunFirst ? (frozen.data?.id ?? null) : null, dryRun.mutate);
  const start = useStartRedelivery();
  const [destinations, setDestinations] = useState(false);
  const [started, setStarted] = useState(false);
  const { id = null, total = 0 } = frozen.data ?? {};
  const begin = () => id !== null && start.mutate({ id, name: name.trim(), destinations }, { onSuccess: () => setStarted(true) });
  // A dry run that changes nothing leaves no reason to re-deliver.
  const idle = dryRun.data !== undefined && dryRun.data.wouldChange === 0 && dryRun.data.untried === 0;
  const trying = dryRunFirst && !dryRun.isSuccess && !dryRun.isError;
  const title = frozen.data ? `Re-deliver ${countOf(total)}` : "Re-deliver";
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description="Applies the current logic to the original bytes. Events already applied are skipped safely."
      className="max-w-[600px]"
      footer={
        started && id !== null ? (
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        ) : (
          <>
            <Button disabled={start.isPending} onClick={onClose}>
              Cancel
            </Button>
            {dryRunFirst ? null : (
              <Button disabled={id === null} loading={dryRun.isPending} icon={<FlaskConical />} onClick={() => id && dryRun.mutate(id)}>
                Dry run
              </Button>
            )}
            <Button
              variant={idle ? "secondary" : "primary"}
              disabled={id === null || trying}
              loading={start.isPending}
              icon={<RotateCw />}
              onClick={begin}
            >
              {id === null ? "Re-deliver" : `Re-deliver ${countOf(total)}`}
            </Button>
          </>
        )
      }
    >
      {frozen.isError ? (
        <ErrorState what="the events" error={frozen.error} onRetry={() => void frozen.refetch()} />
      ) : !frozen.data ? (
        <LoadingState what="the events" rows={3} />
      ) : started && id !== null ? (
        <Progress id={id} />
      ) : id === null ? (
        <p className="text-13 text-muted">No events match any more.</p>
      ) : (
        <div className="flex flex-col gap-4">
          <p className="text-13">{`Re-delivers ${total === 1 ? "this event" : `these ${countOf(total)}`}. New events won't be included.`}</p>
          <Field label="Name" optional hint="Shown in the list of re-deliveries.">
            <Input value={name} maxLength={120} placeholder="After fixing …" onChange={({ target }) => setName(target.value)} />
          </Field>
          <AlsoToDestinations checked={destinations} onChange={setDestinations} />
          {dryRun.isError ? <ErrorState what="the dry run" error={dryRun.error} /> : null}
          {start.isError ? <ErrorState what="the re-delivery" error={start.error} /> : null}
          {trying ? <LoadingState what="the dry run" rows={3} /> : null}
          {dryRun.data ? <DryRunReport outcome={dryRun.data} /> : null}
        </div>
      )}
    </Dialog>
  );
}

function useDryRunFirst(id: string | null, tryOut: (id: string) => void) {
  const tried = useRef<string | null>(null);
  useEffect(() => {
    if (id === null || tried.current === id) return;
    tried.current = id;
    tryOut(id);
  });
}

function Progress({ id }: { id: string }) {
  const { data } = useQuery(redeliveryQuery(id));
  return (
    <div className="flex flex-col gap-3">
      {data ? <RedeliveryState redelivery={data} allowed /> : <LoadingState what="the progress" rows={1} />}
      <p className="text-13 text-muted">
        {data?.state === "done" ? (
          <TextLink href={`/redeliveries/${encodeURIComponent(id)}`}>View the outcome of each event</TextLink>
        ) : (
          <>
            This runs in the background. You can close this window. <TextLink href="/redeliveries">All re-deliveries</TextLink>
          </>
        )}
      </p>
    </div>
  );
}

const OUTCOMES = {
  would_change: { state: "working", word: "would change" },
  applied_already: { state: "fine", word: "already applied" },
  stale: { state: "neutral", word: "stale: replaced by later events" },
  no_view: { state: "neutral", word: "changes no record" },
  still_fails: { state: "failed", word: "still fails" },
} as const;

function DryRunReport({ outcome }: { outcome: DryRunOutcome }) {
  return (
    <section aria-label="Dry run" className="flex flex-col gap-3 rounded-md border border-line p-3">
      <p role="status" className="text-13 font-medium">
        {sentence(outcome)}
      </p>
      <ul className="flex flex-col gap-3">
        {outcome.samples.map((sample) => (
          <li key={sample.eventId} className="flex flex-col gap-1 text-12">
            <p className="flex flex-wrap items-center gap-2">
              <StateIcon state={OUTCOMES[sample.outcome].state} />
              <TextLink href={`/events/${encodeURIComponent(sample.eventId)}`}>
                <span className="font-mono">{shortId(sample.eventId, 24)}</span>
              </TextLink>
              <span className="text-muted">{`${sample.type}, ${OUTCOMES[sample.outcome].word}`}</span>
            </p>
            {sample.reason === null ? null : <p className="text-failed">{sample.reason}</p>}
            <Changes changes={sample.changes} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function sentence({ wouldChange, appliedAlready, stale, noView, stillFails, untried }: DryRunOutcome): string {
  const parts = [
    `${formatNumber(wouldChange)} would change`,
    `${formatNumber(appliedAlready)} already applied`,
    `${formatNumber(stale)} stale`,
  ];
  if (noView > 0) parts.push(countWords(noView, "changes no record", "change no record"));
  parts.push(countWords(stillFails, "still fails", "still fail"));
  if (untried > 0) parts.push(`${formatNumber(untried)} not checked: too large to check at once`);
  return parts.join(", ");
}

const SHOWN = 6;

function Changes({ changes }: Pick<DryRunSample, "changes">) {
  if (changes.length === 0) return null;
  return (
    <table className="ml-6 text-left">
      <thead className="sr-only">
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.slice(0, SHOWN).map(({ kind, resourceId, field, before, after }) => (
          <tr key={`${kind} ${resourceId} ${field}`}>
            <th scope="row" className="pr-3 align-top font-normal text-muted">{`${kind} ${field}`}</th>
            <td className="max-w-40 truncate pr-3 align-top font-mono text-muted line-through">{text(before)}</td>
            <td className="max-w-48 truncate align-top font-mono">{text(after)}</td>
          </tr>
        ))}
      </tbody>
      {changes.length > SHOWN ? (
        <caption className="caption-bottom pt-1 text-left text-faint">{`and ${countWords(changes.length - SHOWN, "more field")}`}</caption>
      ) : null}
    </table>
  );
}

const text = (value: unknown) => (value === null || value === undefined ? "not set" : typeof value === "string" ? value : writeJson(value));
