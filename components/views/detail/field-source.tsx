"use client";

import { History } from "lucide-react";
import { ExactTime } from "#components/ui/exact-time";
import { IconButton } from "#components/ui/icon-button";
import { Popover } from "#components/ui/popover";
import { ResourceId } from "#components/ui/resource-id";
import type { ViewField } from "#lib/contracts/views";

/** Which event set a field, and when the platform made that event. */
export function FieldSource({ label, field, title }: { label: string; field: ViewField; title: string | undefined }) {
  const button = <IconButton size="sm" label={`Which event set ${label}`} icon={<History aria-hidden className="text-faint" />} />;
  return (
    <Popover trigger={button} label={`Which event set ${label}`} align="end">
      <div className="flex flex-col gap-1 text-13">
        <p className="font-medium">Set by {title === undefined ? "an earlier event" : `“${title}”`}</p>
        <p>
          <ResourceId id={field.eventId} href={`/events/${encodeURIComponent(field.eventId)}`} />
        </p>
        <p className="text-12 text-muted">
          The platform made it <ExactTime at={field.at} />
        </p>
      </div>
    </Popover>
  );
}
