"use client";

import { useRouter } from "next/navigation";
import { Banner } from "#components/ui/banner";
import { Button } from "#components/ui/button";
import { ProblemNotice } from "#components/ui/problem-notice";
import type { ConnectionProblem } from "#lib/contracts/connections";

/** How a trip to the platform's permission dialog ended. */
export type Outcome = { connected: true } | { connected: false; problem: Pick<ConnectionProblem, "what" | "why" | "mend"> };

/** The outcome in words, until it is dismissed: its place in the address goes with it. */
export function OutcomeNotice({ outcome, name, here }: { outcome: Outcome; name: string | null; here: string }) {
  const router = useRouter();
  const dismiss = () => router.replace(here);
  if (outcome.connected) {
    return (
      <Banner tone="fine" onDismiss={dismiss}>
        {name === null ? "Connected." : `Connected ${name}. Its access is kept up from now on.`}
      </Banner>
    );
  }
  const { what, why, mend } = outcome.problem;
  return (
    <ProblemNotice
      announce
      what={what}
      why={why}
      mend={mend}
      action={
        <Button size="sm" onClick={dismiss}>
          Dismiss
        </Button>
      }
    />
  );
}
