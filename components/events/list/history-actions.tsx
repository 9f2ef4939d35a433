"use client";

import { History, RotateCw } from "lucide-react";
import { useState } from "react";
import { ExportMenu } from "#components/events/export/export-menu";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { Button } from "#components/ui/primitives/button";
import { LinkButton } from "#components/ui/primitives/link-button";
import { isEmptyFilter } from "#lib/client/url-filter";
import type { EventFilter } from "#lib/contracts/events/events";

const RedeliverDialog = lazyComponent(() =>
  import("#components/records/redelivery/redeliver-dialog").then((module) => module.RedeliverDialog),
);

export function HistoryActions({ filter, canRedeliver }: { filter: EventFilter; canRedeliver: boolean }) {
  // Applying the whole log again is a rebuild, not a re-delivery.
  const unfiltered = isEmptyFilter(filter);
  const [set, setSet] = useState<EventFilter | null>(null);
  return (
    <>
      <LinkButton href="/redeliveries" variant="ghost" icon={<History aria-hidden />}>
        Re-deliveries
      </LinkButton>
      <ExportMenu filter={filter} />
      {canRedeliver ? (
        <Button
          icon={<RotateCw aria-hidden />}
          aria-disabled={unfiltered || undefined}
          title={unfiltered ? "Filter the events first, by type, state, time or text." : undefined}
          onClick={() => (unfiltered ? undefined : setSet(filter))}
        >
          Re-deliver filtered events
        </Button>
      ) : null}
      {set === null ? null : <RedeliverDialog set={{ filter: set }} onClose={() => setSet(null)} />}
    </>
  );
}
