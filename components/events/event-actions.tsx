"use client";

import { Columns2, Download, Ellipsis, Fingerprint, Link2, Maximize2, SquareTerminal } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { RedeliverButton } from "#components/events/redeliver-button";
import { useCommands } from "#components/shell/commands";
import { Button } from "#components/ui/button";
import { DropdownMenu, MenuItem, MenuSeparator } from "#components/ui/dropdown-menu";
import { Kbd } from "#components/ui/kbd";
import { toast } from "#components/ui/toast";
import { useCopy } from "#components/ui/use-copy";
import { bodyBytes } from "#lib/client/bytes";
import { curlCommand } from "#lib/client/curl-command";
import type { EventDetail } from "#lib/contracts/events";

/** Seldom asked for: its code comes when it is. */
const CompareDialog = dynamic(() => import("#components/events/compare-dialog").then((module) => module.CompareDialog));

type EventActionsProps = { event: EventDetail; canRedeliver: boolean; inInspector: boolean };

/** What can be done with an event: re-deliver in sight, the rest in a menu. */
export function EventActions({ event, canRedeliver, inInspector }: EventActionsProps) {
  const { copy } = useCopy();
  const take = async (what: string, text: string) => {
    await copy(text);
    toast.success(`Copied ${what}`);
  };
  const [comparing, setComparing] = useState(false);
  const copyId = () => void take("the id", event.id);
  const copyLink = () => void take("the link", `${window.location.origin}/events/${encodeURIComponent(event.id)}`);
  const copyCurl = () => void take("the command", curlCommand(window.location.origin, event));
  useCommands([
    { label: "Copy the event's id", keys: "y", run: copyId },
    { label: "Compare with another event", keys: "d", run: () => setComparing(true) },
    { label: "Copy a link to the event", run: copyLink },
    { label: "Copy the event as cURL", run: copyCurl },
    { label: "Download the event's raw body", run: () => download(event) },
  ]);
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
        <MenuItem icon={<Fingerprint aria-hidden />} hint={<Kbd>y</Kbd>} onSelect={copyId}>
          Copy id
        </MenuItem>
        <MenuItem icon={<Link2 aria-hidden />} onSelect={copyLink}>
          Copy link
        </MenuItem>
        <MenuItem icon={<SquareTerminal aria-hidden />} onSelect={copyCurl}>
          Copy as cURL
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Columns2 aria-hidden />} hint={<Kbd>d</Kbd>} onSelect={() => setComparing(true)}>
          Compare with another event
        </MenuItem>
        <MenuItem icon={<Download aria-hidden />} onSelect={() => download(event)}>
          Download raw body
        </MenuItem>
      </DropdownMenu>
      {comparing ? <CompareDialog key={event.id} event={event} open onOpenChange={setComparing} /> : null}
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
