"use client";

import { ShieldCheck } from "lucide-react";
import { toast } from "#components/ui/feedback/toast";
import { Tooltip } from "#components/ui/overlay/tooltip";
import { Button } from "#components/ui/primitives/button";
import { PageLink } from "#components/ui/primitives/page-link";
import { useRelease } from "#lib/client/queries/quarantine/requests";
import type { ReleaseResult } from "#lib/contracts/quarantine";

/** Verifies a request again with the current secrets and releases it if it passes. Primary if it is known to verify. */
export function ReleaseButton({ id, allowed, verifiesNow }: { id: string; allowed: boolean; verifiesNow: boolean }) {
  const release = useRelease(id);
  const icon = <ShieldCheck aria-hidden />;
  if (!allowed) {
    return (
      <Tooltip content="Your role can view quarantined requests but not release them. Ask an owner or admin.">
        <Button size="sm" aria-disabled icon={icon}>
          Re-verify and release
        </Button>
      </Tooltip>
    );
  }
  // A promise, since callbacks of `mutate` don't run once the button is unmounted with the released request.
  const send = () =>
    void release.mutateAsync().then(showReleased, () => {
      // The error is shown below the button.
    });
  return (
    <div className="flex flex-col items-start gap-2">
      <Button size="sm" variant={verifiesNow ? "primary" : "secondary"} icon={icon} loading={release.isPending} onClick={send}>
        Re-verify and release
      </Button>
      {release.error ? (
        <p role="alert" className="max-w-[40ch] break-words text-12 text-failed">
          Not released: {release.error.message}
        </p>
      ) : null}
    </div>
  );
}

const showReleased = ({ eventId, reason }: ReleaseResult) =>
  toast.success("Verified and released", {
    description: (
      <>
        {reason === null ? "Its event is now in the log. " : `${reason} `}
        {eventId === null ? null : (
          <PageLink href={`/events/${encodeURIComponent(eventId)}`} className="text-accent-text underline">
            Open the event
          </PageLink>
        )}
      </>
    ),
  });
