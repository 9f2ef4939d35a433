import { Ellipsis, RotateCw } from "lucide-react";
import { useState } from "react";
import { shortId } from "#components/records/resource-id";
import { useCommands } from "#components/shell/palette/commands";
import { MenuIcon } from "#components/shell/themes";
import { useLocalCommands } from "#components/shell/use-local-commands";
import { useCopy } from "#components/ui/copy-icon";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import type { MenuEntry } from "#components/ui/overlay/panes/menu-pane";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { Button } from "#components/ui/primitives/button";
import { RefusedButton } from "#components/ui/primitives/icon-button";
import { Kbd } from "#components/ui/primitives/kbd";
import { bodyBytes } from "#lib/client/format/bytes";
import { useCounts } from "#lib/client/queries/counts";
import { useRedeliver } from "#lib/client/queries/redeliver";
import type { EventDetail } from "#lib/contracts/events/events";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";

const CompareDialog = lazyComponent(() => import("#components/records/compare-dialog").then((module) => module.CompareDialog));

const loadRawRequest = () => import("#lib/client/format/raw-request");

/** The browser lets a page write to the clipboard only just after a press: the code is there by then. */
const prepare = () => void loadRawRequest().catch(() => undefined);

type RawRequest = Awaited<ReturnType<typeof loadRawRequest>>;

const withRawRequest = (act: (rawRequest: RawRequest) => void) =>
  void loadRawRequest().then(act, () => toast.error("Couldn't load this part of the page", { description: "No connection to Signalbox." }));

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
  const copyCurl = () =>
    withRawRequest(({ curlCommand }) => void copyWithToast("cURL command", curlCommand(window.location.origin, event)));
  const copyReplay = () => commands && void copyWithToast("command", commands.replay(event.id));
  useCommands([
    { label: "Copy event ID", keys: "y", run: copyId },
    { label: "Compare with another event", keys: "d", run: () => setComparing(true) },
    { label: "Copy link to event", run: copyLink },
    { label: "Copy event as cURL", run: copyCurl },
    { label: "Copy command: replay locally", run: copyReplay },
    { label: "Download raw body of event", run: () => download(event) },
  ]);
  const entries: (MenuEntry | false)[] = [
    { label: "Copy ID", icon: <MenuIcon name="id" />, hint: <Kbd>y</Kbd>, onSelect: copyId },
    { label: "Copy link", icon: <MenuIcon name="link" />, onSelect: copyLink },
    { label: "Copy as cURL", icon: <MenuIcon name="terminal" />, onSelect: copyCurl },
    { label: "Replay locally: copy command", icon: <MenuIcon name="local" />, onSelect: copyReplay },
    { kind: "line" },
    { label: "Compare with another event", icon: <MenuIcon name="compare" />, hint: <Kbd>d</Kbd>, onSelect: () => setComparing(true) },
    { label: "Download raw body", icon: <MenuIcon name="download" />, onSelect: () => download(event) },
    event.receivedRaw !== null && downloadReceived(event, event.receivedRaw),
    event.traceUrl !== null && { label: "Open trace", icon: <MenuIcon name="trace" />, href: event.traceUrl },
  ];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only load code.
    <div onPointerEnter={prepare} onFocus={prepare} className="flex items-center gap-2">
      {/* A failed event has the button in its notice. */}
      {event.failure ? null : <RedeliverButton key={event.id} eventId={event.id} allowed={canRedeliver} />}
      <DropdownMenu
        label="More actions"
        trigger={<Button size="sm" aria-label="More actions" className="size-7 px-0" icon={<Ellipsis />} />}
        entries={inInspector ? [asPage(event), { kind: "line" }, ...entries] : entries}
      />
      {comparing ? <CompareDialog key={event.id} event={event} open onOpenChange={setComparing} /> : null}
    </div>
  );
}

const asPage = ({ id }: EventDetail): MenuEntry => ({
  label: "Open full page",
  icon: <MenuIcon name="page" />,
  href: `/events/${encodeURIComponent(id)}`,
});

const fileName = ({ id }: EventDetail, rest: string) => `${id.replaceAll(/[^\w.-]/g, "_").slice(0, 100)}${rest}`;

const download = (event: EventDetail) => withRawRequest(({ saveBytes }) => saveBytes(fileName(event, ".json"), bodyBytes(event)));

const downloadReceived = (event: EventDetail, raw: string): MenuEntry => ({
  label: "Download body as received",
  icon: <MenuIcon name="download" />,
  onSelect: () => withRawRequest(({ saveBytes }) => saveBytes(fileName(event, "-received.json"), bodyBytes({ raw, rawBase64: null }))),
});

type RedeliverButtonProps = { eventId: string; allowed: boolean; primary?: boolean };

const RedeliverChoice = lazyComponent(() => import("./redeliver-choice.tsx").then((module) => module.RedeliverChoice));

/** Re-delivers one event. Applying it twice changes nothing, so it asks only if destinations may get it too. */
export function RedeliverButton({ eventId, allowed, primary = false }: RedeliverButtonProps) {
  const redeliver = useRedeliver(eventId);
  const variant = primary ? "primary" : "secondary";
  const icon = <RotateCw />;
  const { data: counts } = useCounts();
  const [asking, setAsking] = useState(false);
  const send = (destinations: boolean) => {
    setAsking(false);
    tellOutcome(
      redeliver.mutateAsync({ destinations }),
      (progress) => showOutcome(eventId, progress),
      `Couldn't re-deliver ${shortId(eventId)}`,
    );
  };
  const press = () => {
    if (redeliver.isPending) return;
    if (counts?.destinations) setAsking(true);
    else send(false);
  };
  useCommands(allowed ? [{ label: "Re-deliver this event", keys: "r", run: press }] : []);
  if (!allowed) {
    return (
      <RefusedButton size="sm" icon={icon} why="Your role can't re-deliver events. Ask an owner or admin.">
        Re-deliver
      </RefusedButton>
    );
  }
  return (
    <>
      <Button size="sm" variant={variant} icon={icon} loading={redeliver.isPending} onClick={press}>
        Re-deliver
      </Button>
      {asking ? <RedeliverChoice onClose={() => setAsking(false)} onRedeliver={send} /> : null}
    </>
  );
}

function showOutcome(eventId: string, progress: RedeliveryProgress) {
  const id = shortId(eventId);
  if (progress.state === "running") {
    toast.info(`Re-delivery of ${id} is pending`, { description: "Not attempted within 10 seconds. The attempt will appear here." });
  } else if (progress.failed > 0) {
    toast.error(`Re-delivered ${id}, but it failed again`, { description: "The latest attempt shows why." });
  } else {
    toast.success(`Re-delivered ${id}`, { description: "The event was applied." });
  }
}
