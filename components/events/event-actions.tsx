"use client";

import { Download, Ellipsis, Fingerprint, Link2, Maximize2, SquareTerminal } from "lucide-react";
import { RedeliverButton } from "#components/events/redeliver-button";
import { Button } from "#components/ui/button";
import { DropdownMenu, MenuItem, MenuSeparator } from "#components/ui/dropdown-menu";
import { toast } from "#components/ui/toast";
import { useCopy } from "#components/ui/use-copy";
import { bodyBytes } from "#lib/client/bytes";
import { curlCommand } from "#lib/client/curl-command";
import type { EventDetail } from "#lib/contracts/events";

type EventActionsProps = { event: EventDetail; canRedeliver: boolean; inInspector: boolean };

/** What can be done with an event: re-deliver in sight, the rest in a menu. */
export function EventActions({ event, canRedeliver, inInspector }: EventActionsProps) {
  const { copy } = useCopy();
  const take = async (what: string, text: string) => {
    await copy(text);
    toast.success(`Copied ${what}`);
  };
  const address = () => `${window.location.origin}/events/${encodeURIComponent(event.id)}`;
  return (
    <div className="flex items-center gap-2">
      {/* A failure has the button beside its reason. */}
      {event.failure ? null : <RedeliverButton key={event.id} eventId={event.id} allowed={canRedeliver} />}
      <DropdownMenu trigger={<Button size="sm" aria-label="More actions" className="size-7 px-0" icon={<Ellipsis aria-hidden />} />}>
        {inInspector ? (
          <>
            <MenuItem icon={<Maximize2 aria-hidden />} href={`/events/${encodeURIComponent(event.id)}`}>
              Open as a page
            </MenuItem>
            <MenuSeparator />
          </>
        ) : null}
        <MenuItem icon={<Fingerprint aria-hidden />} onSelect={() => take("the id", event.id)}>
          Copy id
        </MenuItem>
        <MenuItem icon={<Link2 aria-hidden />} onSelect={() => take("the link", address())}>
          Copy link
        </MenuItem>
        <MenuItem icon={<SquareTerminal aria-hidden />} onSelect={() => take("the command", curlCommand(window.location.origin, event))}>
          Copy as cURL
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Download aria-hidden />} onSelect={() => download(event)}>
          Download raw body
        </MenuItem>
      </DropdownMenu>
    </div>
  );
}

/** Saves the body as it was received, to the byte. */
function download(event: EventDetail) {
  const address = URL.createObjectURL(new Blob([bodyBytes(event)], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${event.id.replaceAll(/[^\w.-]/g, "_").slice(0, 100)}.json`;
  link.click();
  URL.revokeObjectURL(address);
}
