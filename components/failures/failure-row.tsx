"use client";

import Link from "next/link";
import { RedeliverFailure } from "#components/failures/redeliver-failure";
import { RelativeTime } from "#components/ui/relative-time";
import { ResourceId } from "#components/ui/resource-id";
import { StateIcon } from "#components/ui/state-icon";
import { bySubject, resourceHref } from "#lib/client/resource-links";
import type { FailureItem } from "#lib/contracts/events";

/** One failure: what in words, whose event, when; the press that may mend it. */
export function FailureRow({ item, canRedeliver }: { item: FailureItem; canRedeliver: boolean }) {
  const { event, failure, origin } = item;
  const ours = origin === "processing";
  return (
    <li className="relative flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-line px-3 py-2.5 hover:bg-hover has-[a[data-row-link]:focus-visible]:outline-2 has-[a[data-row-link]:focus-visible]:-outline-offset-2 has-[a[data-row-link]:focus-visible]:outline-focus">
      <StateIcon state={ours ? "failed" : "attention"} className="mt-0.5" />
      <div className="min-w-0 flex-1 basis-64">
        <Link
          href={`/events/${encodeURIComponent(event.id)}`}
          data-row-link
          className="line-clamp-2 break-words font-medium after:absolute after:inset-0 after:content-['']"
        >
          {failure.what}
        </Link>
        <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-2 text-12 text-muted">
          <span>{ours ? "Could not be applied" : "Reported by the platform"}</span>
          <span className="min-w-0 max-w-full truncate font-mono">{event.type}</span>
          <Subject item={item} />
          <RelativeTime at={item.at} />
          {ours ? <span>{item.attempts === 1 ? "1 attempt" : `${item.attempts} attempts`}</span> : null}
          {ours && event.status === "pending" ? <span className="text-working">is being tried again</span> : null}
        </div>
        <p className="mt-1 line-clamp-2 max-w-[90ch] break-words text-13 text-muted">{failure.mend}</p>
      </div>
      {ours ? <RedeliverFailure eventId={event.id} allowed={canRedeliver} /> : null}
    </li>
  );
}

function Subject({ item }: { item: FailureItem }) {
  const [subject] = bySubject(item.event.resources);
  if (!subject) return <ResourceId id={item.event.id} />;
  const href = resourceHref(subject);
  return <ResourceId id={subject.id} {...(href === null ? {} : { href })} />;
}
