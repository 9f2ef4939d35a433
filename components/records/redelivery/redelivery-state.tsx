"use client";

import { OperationProgress } from "#components/records/operation-progress";
import { progressWords } from "#lib/client/queries/events/redeliveries";
import { operationOfRedelivery } from "#lib/contracts/operations/operation-states";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";

export function RedeliveryState({ redelivery, allowed }: { redelivery: RedeliveryProgress; allowed: boolean }) {
  const operation = operationOfRedelivery(redelivery);
  if (!operation) return null;
  return (
    <OperationProgress
      operation={operation}
      allowed={allowed}
      unit="events"
      words={progressWords(redelivery)}
      attention={redelivery.failed > 0}
    />
  );
}
