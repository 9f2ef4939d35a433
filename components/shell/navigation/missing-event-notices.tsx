import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { LinkButton } from "#components/ui/primitives/button";
import { useMissingEventsOf } from "#lib/client/queries/missing-events";
import type { MissingEventResource } from "#lib/contracts/missing-events";

export function MissingEventNotices({ kind, id }: MissingEventResource) {
  const missingEvents = useMissingEventsOf({ kind, id }).data ?? [];
  return missingEvents.map(({ id: missingEventId, what, why, fix, evidence: [event] }) => (
    <ProblemNotice
      key={missingEventId}
      tone="attention"
      what={`Missing event: ${what}`}
      why={why}
      fix={fix}
      action={
        <>
          {event === undefined ? null : (
            <LinkButton size="sm" href={`/events/${encodeURIComponent(event)}`}>
              View event
            </LinkButton>
          )}
          <LinkButton size="sm" href="/missing-events">
            All missing events
          </LinkButton>
        </>
      }
    />
  ));
}
