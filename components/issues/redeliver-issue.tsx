"use client";

import { RotateCw } from "lucide-react";
import { useState } from "react";
import { AlsoToDestinations } from "#components/records/also-to-destinations";
import { useCommands } from "#components/shell/palette/commands";
import { toast } from "#components/ui/feedback/toast";
import { TextLink } from "#components/ui/layout/text-link";
import { formatNumber } from "#components/ui/lists/count";
import { ConfirmDialog } from "#components/ui/overlay/confirm-dialog";
import { Button } from "#components/ui/primitives/button";
import { countMatching, useRedeliverMatching } from "#lib/client/queries/events/redeliver";
import type { EventFilter } from "#lib/contracts/events/events";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";
import { eventsWords } from "./issue-labels.tsx";

/**
 * Re-delivers all failed events of an issue: counts them, asks for confirmation, then shows the outcome.
 *
 * @param mapEvent an event that may need another field mapping; null where a mapping does not help
 */
export function RedeliverIssue({ issueId, mapEvent, allowed }: { issueId: string; mapEvent: string | null; allowed: boolean }) {
  const [count, setCount] = useState<number | null>(null);
  const [counting, setCounting] = useState(false);
  const [destinations, setDestinations] = useState(false);
  const redeliver = useRedeliverMatching();
  const filter: EventFilter = { issue: [issueId], state: ["failed"] };
  useCommands(allowed ? [{ label: "Re-deliver failed events", keys: "r", run: () => void ask() }] : []);
  if (!allowed) return null;

  async function ask() {
    setCounting(true);
    try {
      setCount(await countMatching(filter));
    } catch (error) {
      toast.error("Couldn't count the failed events", { description: error instanceof Error ? error.message : "" });
    } finally {
      setCounting(false);
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button variant="primary" size="sm" icon={<RotateCw aria-hidden />} loading={counting} onClick={() => void ask()}>
        Re-deliver failed events
      </Button>
      {mapEvent === null ? null : <TextLink href={`/settings/field-mapping?event=${encodeURIComponent(mapEvent)}`}>Map fields</TextLink>}
      <TextLink href={`/events?issue=${encodeURIComponent(issueId)}&state=failed`}>Review them or do a dry run first</TextLink>
      <ConfirmDialog
        open={count !== null}
        onOpenChange={(open) => {
          if (!open) setCount(null);
        }}
        title={`Re-deliver ${eventsWords(count ?? 0)}?`}
        description="Each event is applied again from its stored bytes, with the current logic. Events already applied are skipped safely."
        choice={<AlsoToDestinations checked={destinations} onChange={setDestinations} />}
        confirmLabel={`Re-deliver ${eventsWords(count ?? 0)}`}
        onConfirm={async () => showOutcome(await redeliver.mutateAsync({ filter, destinations }))}
      />
    </div>
  );
}

function showOutcome(progress: RedeliveryProgress | null) {
  if (!progress) toast.info("Nothing to re-deliver", { description: "This issue no longer has failed events." });
  else if (progress.state === "running")
    toast.info(`Re-delivering ${eventsWords(progress.total)}`, { description: "This continues in the background." });
  else if (progress.failed > 0) toast.error(`Re-delivered ${eventsWords(progress.total)}: ${formatNumber(progress.failed)} failed again`);
  else toast.success(`Re-delivered ${eventsWords(progress.total)}`, { description: "All were applied." });
}
