import { progressWords } from "#lib/client/queries/redeliveries";
import { operationOfRedelivery } from "#lib/contracts/operation-states";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";
import { OperationProgress } from "./operation-progress.tsx";

export function RedeliveryState({ redelivery, allowed }: { redelivery: RedeliveryProgress; allowed: boolean }) {
  const operation = operationOfRedelivery(redelivery);
  if (!operation) return null;
  return (
    <OperationProgress
      operation={operation}
      allowed={allowed}
      unit={["event", "events"]}
      words={progressWords(redelivery)}
      partly={redelivery.failed > 0}
    />
  );
}
