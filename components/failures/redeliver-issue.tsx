"use client";

import { RotateCw } from "lucide-react";
import { useState } from "react";
import { eventsWords } from "#components/failures/issue-words";
import { useCommands } from "#components/shell/commands";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { formatNumber } from "#components/ui/count";
import { TextLink } from "#components/ui/text-link";
import { toast } from "#components/ui/toast";
import { countMatching, useRedeliverMatching } from "#lib/client/redelivery";
import type { EventFilter } from "#lib/contracts/events";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";

/** Delivers all events of an issue again that stand failed: first how many, then the question, then the outcome. */
export function RedeliverIssue({ issueId, allowed }: { issueId: string; allowed: boolean }) {
  const [count, setCount] = useState<number | null>(null);
  const [counting, setCounting] = useState(false);
  const redeliver = useRedeliverMatching();
  const filter: EventFilter = { issue: issueId, status: ["failed"] };
  useCommands(allowed ? [{ label: "Re-deliver all of this issue", keys: "r", run: () => void ask() }] : []);
  if (!allowed) return null;

  async function ask() {
    setCounting(true);
    try {
      setCount(await countMatching(filter));
    } catch (error) {
      toast.error("Could not count what failed", { description: error instanceof Error ? error.message : "" });
    } finally {
      setCounting(false);
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button variant="primary" size="sm" icon={<RotateCw aria-hidden />} loading={counting} onClick={() => void ask()}>
        Re-deliver all of this issue
      </Button>
      <TextLink href={`/events?issue=${encodeURIComponent(issueId)}&status=failed`}>See them, or try it dry first</TextLink>
      <ConfirmDialog
        open={count !== null}
        onOpenChange={(open) => {
          if (!open) setCount(null);
        }}
        title={`Re-deliver ${eventsWords(count ?? 0)}?`}
        description="Each is applied again from its stored bytes, with today's logic. An event that was applied meanwhile changes nothing."
        confirmLabel={`Re-deliver ${eventsWords(count ?? 0)}`}
        onConfirm={async () => sayOutcome(await redeliver.mutateAsync(filter))}
      />
    </div>
  );
}

function sayOutcome(progress: RedeliveryProgress | null) {
  if (!progress) toast.info("Nothing to re-deliver", { description: "No event of this issue is failed any more." });
  else if (progress.state === "running")
    toast.info(`Re-delivering ${eventsWords(progress.total)}`, { description: "They go on in the background." });
  else if (progress.failed > 0) toast.error(`Re-delivered ${eventsWords(progress.total)}: ${formatNumber(progress.failed)} failed again`);
  else toast.success(`Re-delivered ${eventsWords(progress.total)}`, { description: "All were applied." });
}
