import { OperationProgress } from "#components/records/operation-progress";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { ProgressBar } from "#components/ui/feedback/progress-bar";
import { StateIcon } from "#components/ui/primitives/badge";
import type { Releasable } from "#lib/client/queries/quarantine-releases";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import { isUnderWay } from "#lib/contracts/operation-states";
import type { Operation } from "#lib/contracts/operations";

const requests = (count: number) => countWords(count, "request");
const verb = (count: number, one: string, many: string) => (count === 1 ? one : many);

export function ReleasableCount({ state: { counting, counted, error } }: { state: Releasable }) {
  if (error) return <ProblemNotice announce what="Counting stopped" why={error.message} fix="Nothing was released." />;
  if (counting) {
    const words = `${requests(counted.examined)} checked, ${formatNumber(counted.verifying)} can be released`;
    return (
      <div className="flex flex-col gap-2">
        <ProgressBar label="Counting requests to release" share={null} words={words} />
        <p className="text-muted tabular-nums">{words}.</p>
      </div>
    );
  }
  return (
    <ul aria-live="polite" className="flex flex-col gap-2">
      <Counted counted={counted} />
    </ul>
  );
}

export function ReleaseProgress({ operation, allowed }: { operation: Operation; allowed: boolean }) {
  return (
    <OperationProgress operation={operation} allowed={allowed} unit={["request checked", "requests checked"]}>
      {isUnderWay(operation) ? null : (
        <ul aria-live="polite" className="mt-1 flex flex-col gap-2">
          <Done counts={operation.counts} />
        </ul>
      )}
    </OperationProgress>
  );
}

function Counted({ counted: { examined, verifying, stillQuarantined } }: Pick<Releasable, "counted">) {
  if (examined === 0) return <Line state="neutral">There are no requests to release.</Line>;
  return (
    <>
      <Line state={verifying > 0 ? "fine" : "neutral"}>
        {verifying === 0 ? "None can be released." : `${requests(verifying)} can be released.`}
      </Line>
      {stillQuarantined > 0 ? (
        <Line state="attention">{`${requests(stillQuarantined)} still ${verb(stillQuarantined, "has", "have")} an invalid signature or payload. See the verdicts.`}</Line>
      ) : null}
    </>
  );
}

function Done({ counts: { released = 0, repeated = 0, failed = 0, stillQuarantined = 0 } }: Pick<Operation, "counts">) {
  return (
    <>
      <Line
        state={released > 0 ? "fine" : "neutral"}
      >{`${requests(released)} released. ${verb(released, "Its event is", "Their events are")} in the log.`}</Line>
      {repeated > 0 ? (
        <Line state="fine">{`${requests(repeated)} skipped: the log already has ${verb(repeated, "its event", "their events")}.`}</Line>
      ) : null}
      {failed > 0 ? <Line state="failed">{`${requests(failed)} couldn't be stored. Try again.`}</Line> : null}
      {stillQuarantined > 0 ? (
        <Line state="attention">{`${requests(stillQuarantined)} still ${verb(stillQuarantined, "has", "have")} an invalid signature or payload.`}</Line>
      ) : null}
    </>
  );
}

function Line({ state, children }: { state: "fine" | "attention" | "failed" | "neutral"; children: string }) {
  return (
    <li className="flex items-start gap-2">
      <StateIcon state={state} className="mt-0.5" />
      <span className="min-w-0">{children}</span>
    </li>
  );
}
