"use client";

import { Columns2, Download, Ellipsis, Fingerprint, Link2, Maximize2, SquareTerminal } from "lucide-react";
import { useState } from "react";
import { RedeliverButton } from "#components/events/redeliver-button";
import { useCommands } from "#components/shell/commands";
import { Button } from "#components/ui/button";
import { DropdownMenu } from "#components/ui/dropdown-menu";
import { Kbd } from "#components/ui/kbd";
import { later } from "#components/ui/later";
import type { MenuEntry } from "#components/ui/menu-entry";
import { toast } from "#components/ui/toast";
import { useCopy } from "#components/ui/use-copy";
import { bodyBytes } from "#lib/client/bytes";
import { curlCommand } from "#lib/client/curl-command";
import type { EventDetail } from "#lib/contracts/events";

const CompareDialog = later(() => import("#components/events/compare-dialog").then((module) => module.CompareDialog));

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
  const entries: MenuEntry[] = [
    { kind: "item", label: "Copy id", icon: <Fingerprint aria-hidden />, hint: <Kbd>y</Kbd>, onSelect: copyId },
    { kind: "item", label: "Copy link", icon: <Link2 aria-hidden />, onSelect: copyLink },
    { kind: "item", label: "Copy as cURL", icon: <SquareTerminal aria-hidden />, onSelect: copyCurl },
    { kind: "line" },
    {
      kind: "item",
      label: "Compare with another event",
      icon: <Columns2 aria-hidden />,
      hint: <Kbd>d</Kbd>,
      onSelect: () => setComparing(true),
    },
    { kind: "item", label: "Download raw body", icon: <Download aria-hidden />, onSelect: () => download(event) },
  ];
  return (
    <div className="flex items-center gap-2">
      {/* A failure has the button beside its reason. */}
      {event.failure ? null : <RedeliverButton key={event.id} eventId={event.id} allowed={canRedeliver} />}
      <DropdownMenu
        label="More actions"
        trigger={<Button size="sm" aria-label="More actions" className="size-7 px-0" icon={<Ellipsis aria-hidden />} />}
        entries={inInspector ? [asPage(event), { kind: "line" }, ...entries] : entries}
      />
      {comparing ? <CompareDialog key={event.id} event={event} open onOpenChange={setComparing} /> : null}
    </div>
  );
}

const asPage = ({ id }: EventDetail): MenuEntry => ({
  kind: "item",
  label: "Open as a page",
  icon: <Maximize2 aria-hidden />,
  href: `/events/${encodeURIComponent(id)}`,
});

/** Saves the body as it was received, to the byte. */
function download(event: EventDetail) {
  const address = URL.createObjectURL(new Blob([bodyBytes(event)], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${event.id.replaceAll(/[^\w.-]/g, "_").slice(0, 100)}.json`;
  link.click();
  URL.revokeObjectURL(address);
}
