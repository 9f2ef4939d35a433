"use client";

import { RotateCw, ShieldCheck } from "lucide-react";
import { Banner } from "#components/ui/feedback/banner";
import { toast } from "#components/ui/feedback/toast";
import { TextLink } from "#components/ui/layout/text-link";
import { Button } from "#components/ui/primitives/button";
import { useRedeliverMatching } from "#lib/client/queries/events/redeliver";
import { progressWords } from "#lib/client/queries/events/redeliveries";
import { useStartRelease } from "#lib/client/queries/quarantine/releases";
import { cappedWords, formatNumber } from "#lib/contracts/counts/format-count";
import type { FieldMappingChanged } from "#lib/contracts/sources/field-mapping";

type FollowUpProps = { source: string; changed: FieldMappingChanged; allowed: { redeliver: boolean; release: boolean } };

/** Offers to apply past events again: only then are they read with the new mapping. */
export function FollowUp({ source, changed: { failedEvents, releasable }, allowed }: FollowUpProps) {
  return (
    <div className="flex flex-col gap-3">
      <Banner tone="fine">
        Saved. New events are read with this mapping. Events applied before don't change until you{" "}
        <TextLink href="/settings/records">rebuild the records</TextLink>.
      </Banner>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 empty:hidden">
        {failedEvents > 0 && allowed.redeliver ? <RedeliverFailed source={source} count={failedEvents} /> : null}
        {releasable > 0 && allowed.release ? <Release source={source} count={releasable} /> : null}
      </div>
    </div>
  );
}

const MAX_COUNTED = 1000;

function RedeliverFailed({ source, count }: { source: string; count: number }) {
  const redeliver = useRedeliverMatching();
  const send = () =>
    redeliver.mutate(
      { filter: { source, state: ["failed"] }, destinations: false },
      {
        onSuccess: (progress) =>
          progress === null
            ? toast.info("Nothing to re-deliver", { description: "No event of this source is failed now." })
            : toast[progress.failed > 0 ? "error" : "success"](`Re-delivery: ${progressWords(progress)}`),
        onError: (error) => toast.error("Couldn't re-deliver", { description: error.message }),
      },
    );
  return (
    <>
      <Button variant="primary" icon={<RotateCw aria-hidden />} loading={redeliver.isPending} onClick={send}>
        {`Re-deliver ${cappedWords(count, "failed event", MAX_COUNTED)}`}
      </Button>
      <TextLink href={`/events?source=${encodeURIComponent(source)}&state=failed`}>Review them or do a dry run first</TextLink>
    </>
  );
}

function Release({ source, count }: { source: string; count: number }) {
  const start = useStartRelease();
  const send = () =>
    start.mutate(
      { filter: { source, reason: "invalid_envelope" } },
      {
        onSuccess: () =>
          toast.success("Release started", { description: "It continues in the background. Quarantine shows the progress." }),
        onError: (error) => toast.error("Couldn't release", { description: error.message }),
      },
    );
  return (
    <>
      <Button icon={<ShieldCheck aria-hidden />} loading={start.isPending} onClick={send}>
        {`Release ${formatNumber(count)} from quarantine`}
      </Button>
      <TextLink href={`/quarantine?source=${encodeURIComponent(source)}&reason=invalid_envelope`}>View in quarantine</TextLink>
    </>
  );
}
