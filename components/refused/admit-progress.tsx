"use client";

import { formatNumber } from "#components/ui/count";
import { ProblemNotice } from "#components/ui/problem-notice";
import { ProgressBar } from "#components/ui/progress-bar";
import { StateIcon } from "#components/ui/state-icon";
import type { Admissions } from "#lib/client/admissions";

const requests = (count: number) => (count === 1 ? "1 request" : `${formatNumber(count)} requests`);
const verb = (count: number, one: string, many: string) => (count === 1 ? one : many);

/** How far re-verifying has come, in a sentence and a bar. */
export function AdmitProgress({ state: { phase, counted, done, error } }: { state: Admissions }) {
  if (error)
    return <ProblemNotice announce what="Re-verifying stopped" why={error.message} mend="What was admitted so far stays admitted." />;
  if (phase === "counting") {
    const words = `${requests(counted.examined)} looked at, ${formatNumber(counted.verifying)} verify now`;
    return <Running label="Counting what verifies now" share={null} words={words} />;
  }
  if (phase === "admitting") {
    const words = `${formatNumber(done.admitted + done.repeated)} of ${formatNumber(counted.verifying)} admitted`;
    return <Running label="Admitting" share={counted.examined === 0 ? null : done.examined / counted.examined} words={words} />;
  }
  return (
    <ul aria-live="polite" className="flex flex-col gap-2">
      {phase === "counted" ? <Counted counted={counted} /> : <Done done={done} />}
    </ul>
  );
}

function Running({ label, share, words }: { label: string; share: number | null; words: string }) {
  return (
    <div className="flex flex-col gap-2">
      <ProgressBar label={label} share={share} words={words} />
      <p className="text-muted tabular-nums">{words}.</p>
    </div>
  );
}

function Counted({ counted: { examined, verifying, stillRefused } }: Pick<Admissions, "counted">) {
  if (examined === 0) return <Line state="neutral">Nothing here waits to be admitted.</Line>;
  return (
    <>
      <Line state={verifying > 0 ? "fine" : "neutral"}>
        {verifying === 0 ? "None verifies now." : `${requests(verifying)} ${verb(verifying, "verifies", "verify")} now.`}
      </Line>
      {stillRefused > 0 ? (
        <Line state="attention">{`${requests(stillRefused)} still ${verb(stillRefused, "does", "do")} not: mend them by their verdicts first.`}</Line>
      ) : null}
    </>
  );
}

function Done({ done: { admitted, repeated, failed, stillRefused } }: Pick<Admissions, "done">) {
  return (
    <>
      <Line state={admitted > 0 ? "fine" : "neutral"}>{`${requests(admitted)} admitted. Their events are in the log.`}</Line>
      {repeated > 0 ? (
        <Line state="fine">{`${requests(repeated)} came again meanwhile: the log had ${verb(repeated, "its event", "their events")} already.`}</Line>
      ) : null}
      {failed > 0 ? <Line state="failed">{`${requests(failed)} could not be stored just now. Try again.`}</Line> : null}
      {stillRefused > 0 ? (
        <Line state="attention">{`${requests(stillRefused)} still ${verb(stillRefused, "does", "do")} not verify.`}</Line>
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
