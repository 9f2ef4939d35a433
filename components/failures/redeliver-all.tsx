"use client";

import { RotateCw } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { formatNumber } from "#components/ui/count";
import { toast } from "#components/ui/toast";
import { countMatching, useRedeliverMatching } from "#lib/client/redelivery";
import type { EventFilter } from "#lib/contracts/events";

const FAILED: EventFilter = { status: ["failed"] };
const eventsWords = (count: number) => (count === 1 ? "1 event" : `${formatNumber(count)} events`);

/** Delivers all events again that could not be applied: first how many, then the question, then the outcome. */
export function RedeliverAll({ allowed }: { allowed: boolean }) {
  const [count, setCount] = useState<number | null>(null);
  const [counting, setCounting] = useState(false);
  const redeliver = useRedeliverMatching();
  if (!allowed) return null;

  async function ask() {
    setCounting(true);
    try {
      setCount(await countMatching(FAILED));
    } catch (error) {
      toast.error("Could not count what failed", { description: error instanceof Error ? error.message : "" });
    } finally {
      setCounting(false);
    }
  }

  async function confirm() {
    const progress = await redeliver.mutateAsync(FAILED);
    if (!progress) toast.info("Nothing to re-deliver", { description: "No event is failed any more." });
    else if (progress.state === "running")
      toast.info(`Re-delivering ${eventsWords(progress.total)}`, { description: "They go on in the background." });
    else if (progress.failed > 0) toast.error(`Re-delivered ${eventsWords(progress.total)}: ${formatNumber(progress.failed)} failed again`);
    else toast.success(`Re-delivered ${eventsWords(progress.total)}`, { description: "All were applied." });
  }

  return (
    <>
      <Button variant="primary" icon={<RotateCw aria-hidden />} loading={counting} onClick={() => void ask()}>
        Re-deliver all that failed
      </Button>
      <ConfirmDialog
        open={count !== null}
        onOpenChange={(open) => {
          if (!open) setCount(null);
        }}
        title={`Re-deliver ${eventsWords(count ?? 0)}?`}
        description="Each is applied again from its stored bytes, with today's logic. An event that was applied meanwhile changes nothing."
        confirmLabel={`Re-deliver ${eventsWords(count ?? 0)}`}
        onConfirm={confirm}
      />
    </>
  );
}
