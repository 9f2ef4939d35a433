import { FlaskConical } from "lucide-react";
import { useCommands } from "#components/shell/palette/commands";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Button } from "#components/ui/primitives/button";
import { useTestDestination } from "#lib/client/queries/destinations";
import { formatNumber } from "#lib/contracts/format-count";
import type { DestinationTest } from "#lib/contracts/forwarding/destinations";
import { AttemptExchange, Durations } from "./delivery-attempt.tsx";

export function TestButton({ id }: { id: string }) {
  const test = useTestDestination(id);
  useCommands([{ label: "Send a test event to this destination", run: () => test.mutate() }]);
  return (
    <div className="flex flex-col gap-3">
      <Button className="self-start" icon={<FlaskConical />} loading={test.isPending} onClick={() => test.mutate()}>
        Send test event
      </Button>
      {test.error ? <ProblemNotice announce what="Couldn't send the test event" why={test.error.message} /> : null}
      {test.data ? <TestResult test={test.data} /> : null}
    </div>
  );
}

function TestResult({ test }: { test: DestinationTest }) {
  const worked = test.outcome === "delivered";
  return (
    <div role="status" className="flex flex-col gap-3">
      {worked ? (
        <p className="text-13">
          <strong className="font-medium text-fine">{test.detail}</strong>, after {formatNumber(test.durations.total)} ms
        </p>
      ) : (
        <ProblemNotice what={`The test event was not delivered: ${test.detail}`} fix={test.fix} />
      )}
      <Durations durations={test.durations} />
      <AttemptExchange request={test.request} response={test.response} body={null} />
    </div>
  );
}
