"use client";

import { ShieldCheck } from "lucide-react";
import Link from "next/link";
import { Button } from "#components/ui/button";
import { toast } from "#components/ui/toast";
import { Tooltip } from "#components/ui/tooltip";
import { useAdmit } from "#lib/client/quarantine";

/**
 * Verifies a refused request again, with the secrets of today, and lets its event in when it passes.
 *
 * @param passes it is known to verify now: the press is what is left to do
 */
export function AdmitButton({ id, allowed, passes }: { id: string; allowed: boolean; passes: boolean }) {
  const admit = useAdmit(id);
  const icon = <ShieldCheck aria-hidden />;
  if (!allowed) {
    return (
      <Tooltip content="Your role may look, but not admit. Ask an owner or admin.">
        <Button size="sm" aria-disabled icon={icon}>
          Re-verify and admit
        </Button>
      </Tooltip>
    );
  }
  const press = () =>
    admit.mutate(undefined, {
      onSuccess: ({ eventId, reason }) =>
        toast.success("Verified and admitted", {
          description: (
            <>
              {reason === null ? "Its event is in the log now. " : `${reason} `}
              {eventId === null ? null : (
                <Link href={`/events/${encodeURIComponent(eventId)}`} className="text-accent-text underline">
                  Open the event
                </Link>
              )}
            </>
          ),
        }),
    });
  return (
    <div className="flex flex-col items-start gap-2">
      <Button size="sm" variant={passes ? "primary" : "secondary"} icon={icon} loading={admit.isPending} onClick={press}>
        Re-verify and admit
      </Button>
      {admit.error ? (
        <p role="alert" className="max-w-[40ch] break-words text-12 text-failed">
          Not admitted: {admit.error.message}
        </p>
      ) : null}
    </div>
  );
}
