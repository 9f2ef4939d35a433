import { useQueryClient } from "@tanstack/react-query";
import { RotateCw, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { Banner } from "#components/ui/feedback/problem-notice";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { Button } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import { useStartRelease } from "#lib/client/queries/quarantine-releases";
import { useRedeliverMatching } from "#lib/client/queries/redeliver";
import { progressWords } from "#lib/client/queries/redeliveries";
import { cappedNumber, countWords, formatNumber } from "#lib/contracts/format-count";
import { MAX_REDELIVERED } from "#lib/contracts/list-filters";
import type { FieldMappingChanged, FieldMappingPreview } from "#lib/contracts/sources/field-mapping";
import { triedWords } from "./mapping-rows.tsx";

const RedeliverDialog = lazyComponent(() => import("#components/records/redeliver-dialog").then((module) => module.RedeliverDialog));

type SaveMappingProps = {
  source: string;
  /** The issues whose failed events the mapping is made for; empty if none. */
  issues: string[];
  failing: FieldMappingPreview["failing"];
  /** True if the mapping is the saved one. */
  same: boolean;
  saving: boolean;
  canRedeliver: boolean;
  save: () => Promise<unknown>;
};

/** Saves the mapping; one for failed events can also re-deliver exactly these, after a dry run. */
export function SaveMapping({ source, issues, failing, same, saving, canRedeliver, save }: SaveMappingProps) {
  const [redelivering, setRedelivering] = useState(false);
  const queries = useQueryClient();
  const fixes = canRedeliver && failing !== null && failing.fixed > 0 && failing.total <= MAX_REDELIVERED;
  // A failure is shown by the page.
  const saveAndRedeliver = async () => {
    if (!same) await save();
    setRedelivering(true);
  };
  return (
    <>
      {fixes ? (
        <Button variant="primary" icon={<RotateCw />} loading={saving} onClick={() => void saveAndRedeliver().catch(() => undefined)}>
          {`${same ? "Re-deliver" : "Save and re-deliver"} ${countWords(failing.total, "event")}`}
        </Button>
      ) : null}
      <Button
        variant={fixes ? "secondary" : "primary"}
        disabled={same}
        loading={saving && !fixes}
        onClick={() => void save().catch(() => undefined)}
      >
        {fixes ? "Save only" : "Save mapping"}
      </Button>
      {redelivering ? (
        <RedeliverDialog
          dryRunFirst
          name="After a change of the field mapping"
          set={{ filter: { issue: issues, source, state: ["failed"] } }}
          onClose={() => {
            setRedelivering(false);
            void invalidate(queries, KEYS.settings, KEYS.issues, KEYS.issue, KEYS.counts, KEYS.overview);
          }}
        />
      ) : null}
    </>
  );
}

type FollowUpProps = { source: string; changed: FieldMappingChanged; allowed: { redeliver: boolean; release: boolean } };

/** Offers to apply past events again: only then are they read with the new mapping. */
export function FollowUp({ source, changed: { failedEvents, releasable, quarantined }, allowed }: FollowUpProps) {
  return (
    <div className="flex flex-col gap-3">
      <Banner tone="fine">
        Saved. New events are read with this mapping. Events applied before don't change until you{" "}
        <TextLink href="/settings/records">rebuild the records</TextLink>.
      </Banner>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 empty:hidden">
        {failedEvents > 0 && allowed.redeliver ? <RedeliverFailed source={source} count={failedEvents} /> : null}
        {releasable > 0 && allowed.release ? <Release source={source} count={releasable} quarantined={quarantined} /> : null}
      </div>
    </div>
  );
}

function RedeliverFailed({ source, count }: { source: string; count: number }) {
  const redeliver = useRedeliverMatching();
  const send = () =>
    tellOutcome(
      redeliver.mutateAsync({ filter: { source, state: ["failed"] }, destinations: false }),
      (progress) =>
        progress === null
          ? toast.info("Nothing to re-deliver", { description: "No event of this source is failed now." })
          : toast[progress.failed > 0 ? "error" : "success"](`Re-delivery: ${progressWords(progress)}`),
      "Couldn't re-deliver",
    );
  const events = `/events?source=${encodeURIComponent(source)}&state=failed`;
  if (count > MAX_REDELIVERED)
    return <TextLink href={events}>{`${cappedNumber(count, MAX_REDELIVERED)} failed events: re-deliver them in parts`}</TextLink>;
  return (
    <>
      <Button variant="primary" icon={<RotateCw />} loading={redeliver.isPending} onClick={send}>
        {`Re-deliver ${countWords(count, "failed event")}`}
      </Button>
      <TextLink href={events}>Review them or do a dry run first</TextLink>
    </>
  );
}

type ReleaseProps = { source: string; count: number; quarantined: FieldMappingChanged["quarantined"] };

function Release({ source, count, quarantined }: ReleaseProps) {
  const start = useStartRelease();
  const send = () =>
    tellOutcome(
      start.mutateAsync({ filter: { source, reason: "invalid_envelope" } }),
      () => toast.success("Release started", { description: "It continues in the background. Quarantine shows the progress." }),
      "Couldn't release",
    );
  return (
    <>
      <Button icon={<ShieldCheck />} loading={start.isPending} onClick={send}>
        {quarantined.tried < quarantined.total ? "Release from quarantine" : `Release ${formatNumber(count)} from quarantine`}
      </Button>
      {quarantined.tried < quarantined.total ? (
        <span className="text-13 text-muted">{`${formatNumber(count)} of ${triedWords(quarantined, "request")} can be released; all are tried.`}</span>
      ) : null}
      <TextLink href={`/quarantine?source=${encodeURIComponent(source)}&reason=invalid_envelope`}>View in quarantine</TextLink>
    </>
  );
}
