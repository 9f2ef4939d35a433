"use client";

import { History } from "lucide-react";
import { ResourceId } from "#components/records/resource-id";
import { Popover } from "#components/ui/overlay/popover";
import { IconButton } from "#components/ui/primitives/icon-button";
import { ExactTime } from "#components/ui/time/exact-time";
import type { ViewField } from "#lib/contracts/views";

type FieldSourceProps = { label: string; field: ViewField; title: string | undefined; forgotten: boolean };

/** Shows the event that set a field and the platform's time of it, or that the event is older than the retention. */
export function FieldSource({ label, field, title, forgotten }: FieldSourceProps) {
  const button = <IconButton size="sm" label={`Event that set ${label}`} icon={<History aria-hidden className="text-faint" />} />;
  return (
    <Popover trigger={button} label={`Event that set ${label}`} align="end">
      <div className="flex flex-col gap-1 text-13">
        <p className="font-medium">
          Set by {forgotten ? "an event older than your retention period" : title === undefined ? "an earlier event" : `“${title}”`}
        </p>
        <p>
          <ResourceId id={field.eventId} {...(forgotten ? {} : { href: `/events/${encodeURIComponent(field.eventId)}` })} />
        </p>
        <p className="text-12 text-muted">
          Created by the platform <ExactTime at={field.at} />
        </p>
      </div>
    </Popover>
  );
}
