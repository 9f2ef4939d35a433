"use client";

import { History, RotateCw } from "lucide-react";
import { useState } from "react";
import { ExportMenu } from "#components/events/export-menu";
import { Button } from "#components/ui/button";
import { later } from "#components/ui/later";
import { LinkButton } from "#components/ui/link-button";
import type { EventFilter } from "#lib/contracts/events";

const RedeliverDialog = later(() => import("#components/events/redeliver-dialog").then((module) => module.RedeliverDialog));

/** What can be done with all that the filter matches. */
export function HistoryActions({ filter, canRedeliver }: { filter: EventFilter; canRedeliver: boolean }) {
  const [set, setSet] = useState<EventFilter | null>(null);
  return (
    <>
      <LinkButton href="/redeliveries" variant="ghost" icon={<History aria-hidden />}>
        Re-deliveries
      </LinkButton>
      <ExportMenu filter={filter} />
      {canRedeliver ? (
        <Button icon={<RotateCw aria-hidden />} onClick={() => setSet(filter)}>
          Re-deliver all that match
        </Button>
      ) : null}
      {set === null ? null : <RedeliverDialog set={{ filter: set }} onClose={() => setSet(null)} />}
    </>
  );
}
