"use client";

import { LinkButton } from "#components/ui/link-button";
import { ProblemNotice } from "#components/ui/problem-notice";
import { useFindingsOf } from "#lib/client/findings";
import type { FindingResource } from "#lib/contracts/findings";

/** What seems to be missing of one resource, on its own page. Nothing while nothing is suspected. */
export function Suspicions({ kind, id }: FindingResource) {
  const findings = useFindingsOf({ kind, id }).data ?? [];
  return findings.map(({ id: findingId, what, why, mend, evidence: [event] }) => (
    <ProblemNotice
      key={findingId}
      tone="attention"
      what={`Suspected: ${what.charAt(0).toLowerCase()}${what.slice(1)}`}
      why={why}
      mend={mend}
      action={
        <>
          {event === undefined ? null : (
            <LinkButton size="sm" href={`/events/${encodeURIComponent(event)}`}>
              See the event
            </LinkButton>
          )}
          <LinkButton size="sm" href="/findings">
            All suspicions
          </LinkButton>
        </>
      }
    />
  ));
}
