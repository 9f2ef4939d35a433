"use client";

import { DismissFinding } from "#components/findings/dismiss-finding";
import { Badge } from "#components/ui/badge";
import { RelativeTime } from "#components/ui/relative-time";
import { ResourceId } from "#components/ui/resource-id";
import { StateIcon } from "#components/ui/state-icon";
import { findingResourceHref } from "#lib/client/resource-links";
import type { Finding } from "#lib/contracts/findings";

const WORDS = { task: "Task", document: "Document", run: "Run", connection: "Connection", source: "Source" } as const;

/** One suspicion: what seems to be missing, why, what raises it, and what may be done about it. */
export function FindingRow({ finding, canDismiss }: { finding: Finding; canDismiss: boolean }) {
  const { resource, state, evidence } = finding;
  const open = state === "open";
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-line px-3 py-3">
      <StateIcon state={open ? "attention" : state === "closed" ? "fine" : "neutral"} className="mt-0.5" />
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <p className="font-medium">{finding.what}</p>
          <Badge tone={open ? "attention" : "neutral"}>Suspected</Badge>
        </div>
        <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-muted">
          <span className="flex min-w-0 items-center gap-1">
            {WORDS[resource.kind]} <ResourceId id={resource.id} href={findingResourceHref(resource)} />
          </span>
          <span className="flex min-w-0 flex-wrap items-center gap-x-1">
            {evidence.length === 1 ? "Raised by event" : "Raised by events"}
            {evidence.map((id) => (
              <ResourceId key={id} id={id} href={`/events/${encodeURIComponent(id)}`} />
            ))}
          </span>
          <span>
            since <RelativeTime at={finding.since} />
          </span>
        </div>
        <p className="mt-1.5 max-w-[90ch] break-words text-13 text-muted">{finding.why}</p>
        <p className="max-w-[90ch] break-words text-13 text-muted">{open ? finding.mend : <Outcome finding={finding} />}</p>
      </div>
      {open ? <DismissFinding finding={finding} allowed={canDismiss} /> : null}
    </li>
  );
}

/** How it ended. */
function Outcome({ finding: { state, dismissedBy, dismissedAt, closedAt } }: { finding: Finding }) {
  if (state === "closed" && closedAt !== null)
    return (
      <>
        Closed by itself <RelativeTime at={closedAt} />: what was missing came, or the case is another now.
      </>
    );
  return (
    <>
      Dismissed by {dismissedBy ?? "somebody"} {dismissedAt === null ? null : <RelativeTime at={dismissedAt} />}. It closes by itself when
      the event comes.
    </>
  );
}
