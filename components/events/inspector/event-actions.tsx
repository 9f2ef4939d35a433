"use client";

import { Columns2, Download, Ellipsis, Fingerprint, Laptop, Link2, Maximize2, SquareTerminal, Waypoints } from "lucide-react";
import { useState } from "react";
import { RedeliverButton } from "#components/events/redelivery/redeliver-button";
import { useCommands } from "#components/shell/palette/commands";
import { useLocalCommands } from "#components/shell/use-local-commands";
import { toast } from "#components/ui/feedback/toast";
import { useCopy } from "#components/ui/json/use-copy";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { DropdownMenu } from "#components/ui/overlay/dropdown-menu";
import type { MenuEntry } from "#components/ui/overlay/menu-entry";
import { Button } from "#components/ui/primitives/button";
import { Kbd } from "#components/ui/primitives/kbd";
import { bodyBytes } from "#lib/client/format/bytes";
import { curlCommand } from "#lib/client/format/requests/curl-command";
import { saveBytes } from "#lib/client/format/requests/save-bytes";
import type { EventDetail } from "#lib/contracts/events/events";

const CompareDialog = lazyComponent(() => import("#components/events/compare/compare-dialog").then((module) => module.CompareDialog));

type EventActionsProps = { event: EventDetail; canRedeliver: boolean; inInspector: boolean };

export function EventActions({ event, canRedeliver, inInspector }: EventActionsProps) {
  const { copy } = useCopy();
  const copyWithToast = async (what: string, text: string) => {
    if (await copy(text)) toast.success(`Copied ${what}`);
  };
  const commands = useLocalCommands();
  const [comparing, setComparing] = useState(false);
  const copyId = () => void copyWithToast("ID", event.id);
  const copyLink = () => void copyWithToast("link", `${window.location.origin}/events/${encodeURIComponent(event.id)}`);
  const copyCurl = () => void copyWithToast("cURL command", curlCommand(window.location.origin, event));
  const copyReplay = () => commands && void copyWithToast("command", commands.replay(event.id));
  useCommands([
    { label: "Copy event ID", keys: "y", run: copyId },
    { label: "Compare with another event", keys: "d", run: () => setComparing(true) },
    { label: "Copy link to event", run: copyLink },
    { label: "Copy event as cURL", run: copyCurl },
    { label: "Copy command: replay locally", run: copyReplay },
    { label: "Download raw body of event", run: () => download(event) },
  ]);
  const entries: MenuEntry[] = [
    { kind: "item", label: "Copy ID", icon: <Fingerprint aria-hidden />, hint: <Kbd>y</Kbd>, onSelect: copyId },
    { kind: "item", label: "Copy link", icon: <Link2 aria-hidden />, onSelect: copyLink },
    { kind: "item", label: "Copy as cURL", icon: <SquareTerminal aria-hidden />, onSelect: copyCurl },
    { kind: "item", label: "Replay locally: copy command", icon: <Laptop aria-hidden />, onSelect: copyReplay },
    { kind: "line" },
    {
      kind: "item",
      label: "Compare with another event",
      icon: <Columns2 aria-hidden />,
      hint: <Kbd>d</Kbd>,
      onSelect: () => setComparing(true),
    },
    { kind: "item", label: "Download raw body", icon: <Download aria-hidden />, onSelect: () => download(event) },
    ...(event.receivedRaw === null ? [] : [downloadReceived(event, event.receivedRaw)]),
    ...(event.traceUrl === null ? [] : [openTrace(event.traceUrl)]),
  ];
  return (
    <div className="flex items-center gap-2">
      {/* A failed event has the button in its notice. */}
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
  label: "Open full page",
  icon: <Maximize2 aria-hidden />,
  href: `/events/${encodeURIComponent(id)}`,
});

const openTrace = (href: string): MenuEntry => ({ kind: "item", label: "Open trace", icon: <Waypoints aria-hidden />, href });

const fileName = ({ id }: EventDetail, rest: string) => `${id.replaceAll(/[^\w.-]/g, "_").slice(0, 100)}${rest}`;

const download = (event: EventDetail) => saveBytes(fileName(event, ".json"), bodyBytes(event));

const downloadReceived = (event: EventDetail, raw: string): MenuEntry => ({
  kind: "item",
  label: "Download body as received",
  icon: <Download aria-hidden />,
  onSelect: () => saveBytes(fileName(event, "-received.json"), bodyBytes({ raw, rawBase64: null })),
});
