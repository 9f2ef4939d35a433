"use client";

import { History } from "lucide-react";
import { ExactTime } from "#components/ui/exact-time";
import { IconButton } from "#components/ui/icon-button";
import { Popover } from "#components/ui/popover";
import { ResourceId } from "#components/ui/resource-id";
import type { ViewField } from "#lib/contracts/views";

type FieldSourceProps = { label: string; field: ViewField; title: string | undefined; forgotten: boolean };

/** Which event set a field, and when the platform made that event; or that the event is older than the retention. */
export function FieldSource({ label, field, title, forgotten }: FieldSourceProps) {
  const button = <IconButton size="sm" label={`Which event set ${label}`} icon={<History aria-hidden className="text-faint" />} />;
  return (
    <Popover trigger={button} label={`Which event set ${label}`} align="end">
      <div className="flex flex-col gap-1 text-13">
        <p className="font-medium">
          Set by {forgotten ? "an event that is older than your retention" : title === undefined ? "an earlier event" : `“${title}”`}
        </p>
        <p>
          <ResourceId id={field.eventId} {...(forgotten ? {} : { href: `/events/${encodeURIComponent(field.eventId)}` })} />
        </p>
        <p className="text-12 text-muted">
          The platform made it <ExactTime at={field.at} />
        </p>
      </div>
    </Popover>
  );
}
