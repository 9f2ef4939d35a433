"use client";

import { useRouter } from "next/navigation";
import { Banner } from "#components/ui/feedback/banner";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Button } from "#components/ui/primitives/button";
import type { ConnectionProblem } from "#lib/contracts/connections";

export type Outcome = { connected: true } | { connected: false; problem: Pick<ConnectionProblem, "what" | "why" | "fix"> };

/** Shows the outcome; dismissing it also removes it from the URL. */
export function OutcomeNotice({ outcome, name, here }: { outcome: Outcome; name: string | null; here: string }) {
  const router = useRouter();
  const dismiss = () => router.replace(here);
  if (outcome.connected) {
    return (
      <Banner tone="fine" onDismiss={dismiss}>
        {name === null ? "Connected." : `Connected ${name}. Signalbox renews its access automatically.`}
      </Banner>
    );
  }
  const { what, why, fix } = outcome.problem;
  return (
    <ProblemNotice
      announce
      what={what}
      why={why}
      fix={fix}
      action={
        <Button size="sm" onClick={dismiss}>
          Dismiss
        </Button>
      }
    />
  );
}
