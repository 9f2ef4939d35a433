import { Link2, Send } from "lucide-react";
import { type ReactNode, useState } from "react";
import { PlatformMissing, type PlatformSetup } from "#components/records/platform-missing";
import { useFeed } from "#components/shell/live/live-provider";
import { toast } from "#components/ui/feedback/toast";
import { Panel, PanelHeader } from "#components/ui/layout/section";
import { StateIcon } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { useStartConnect } from "#lib/client/queries/connections";
import { useSendEvent } from "#lib/client/queries/sandbox";
import type { Overview } from "#lib/contracts/overview";
import { ReceiveStep } from "./receive-step.tsx";

export type SetupAccess = {
  /** The person has closed the steps: the cookie that says so for this workspace. */
  closed: boolean;
  closedCookie: string;
  /** The first source; null in a workspace without one. */
  source: { id: string; url: string } | null;
  platform: PlatformSetup;
  canConnect: boolean;
  canRotate: boolean;
  /** The sandbox is on and the user may use it. */
  canSendTest: boolean;
};

type Props = { setup: Overview["setup"]; quarantined: number; access: SetupAccess };

export function SetupSteps({ setup, quarantined, access }: Props) {
  const [open, setOpen] = useState(true);
  const [arrived, setArrived] = useState<string | null>(null);
  // Read from the feed: the overview is fetched only a moment later.
  useFeed(({ id }) => setArrived((first) => first ?? id));
  if (!open) return null;
  const { connected } = setup;
  const firstEvent = setup.firstEvent || arrived !== null;
  const { closedCookie, source, platform, canConnect, canRotate, canSendTest } = access;
  const done = connected && firstEvent;
  const close = () => {
    if (!done) rememberClosed(closedCookie);
    setOpen(false);
  };
  return (
    <Panel>
      <PanelHeader
        title={done ? "Signalbox is set up" : "Set up Signalbox"}
        hint={`${1 + Number(connected) + Number(firstEvent)} of 3 steps done`}
        actions={
          // Without an event the page has nothing else.
          firstEvent ? (
            <Button size="sm" onClick={close}>
              Hide these steps
            </Button>
          ) : undefined
        }
      />
      <ol>
        <StepRow done title="Create your account" />
        <StepRow
          done={connected}
          title="Connect an account"
          action={connected || !canConnect ? undefined : <ConnectButton disabled={platform.missing.length > 0} />}
        >
          {connected ? undefined : <ConnectWords platform={platform} canConnect={canConnect} />}
        </StepRow>
        <StepRow
          done={firstEvent}
          title="Receive the first event"
          action={firstEvent || !canSendTest ? undefined : <SendTest primary={connected || !canConnect} />}
        >
          {firstEvent ? (
            arrived === null ? undefined : (
              <TextLink href={`/events/${encodeURIComponent(arrived)}`}>View the event</TextLink>
            )
          ) : source === null ? undefined : (
            <ReceiveStep source={source} canRotate={canRotate} inSandbox={canSendTest} quarantined={quarantined} />
          )}
        </StepRow>
      </ol>
    </Panel>
  );
}

const YEAR_SECONDS = 31_536_000;

/** Read by the server, so that the next page is drawn without the steps. */
function rememberClosed(cookie: string): void {
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox ESR has no Cookie Store API.
  document.cookie = `${cookie}=yes; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
}

function ConnectWords({ platform, canConnect }: Pick<SetupAccess, "platform" | "canConnect">) {
  if (!canConnect) return "Ask an owner, admin or developer to connect an account.";
  if (platform.missing.length > 0) {
    return (
      <div className="pt-2">
        <PlatformMissing platform={platform} />
      </div>
    );
  }
  return "Approve the permissions on the platform. Signalbox renews access automatically.";
}

function StepRow({ done, title, action, children }: { done: boolean; title: string; action?: ReactNode; children?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-line px-4 py-3 last:border-b-0">
      <StateIcon state={done ? "fine" : "neutral"} className="mt-0.5" />
      <div className="min-w-0 flex-1 basis-56">
        <p className={done ? "text-muted" : "font-medium"}>
          {title}
          <span className="sr-only">{done ? ": done" : ": to do"}</span>
        </p>
        {children === undefined ? null : <div className="text-muted">{children}</div>}
      </div>
      {action === undefined ? null : <div className="max-sm:ml-7">{action}</div>}
    </li>
  );
}

/** Opens the platform's permission dialog directly. The connection is named by its number; the Connections page asks for a name. */
function ConnectButton({ disabled }: { disabled: boolean }) {
  const start = useStartConnect();
  return (
    <Button
      size="sm"
      variant="primary"
      icon={<Link2 aria-hidden />}
      disabled={disabled}
      loading={start.isPending}
      onClick={() => start.mutate({}, { onError: (error) => toast.error("Couldn't start connecting", { description: error.message }) })}
    >
      Connect
    </Button>
  );
}

function SendTest({ primary }: { primary: boolean }) {
  const send = useSendEvent();
  return (
    <Button
      size="sm"
      variant={primary ? "primary" : "secondary"}
      icon={<Send aria-hidden />}
      loading={send.isPending}
      onClick={() =>
        send.mutate(
          { type: "document.processed" },
          {
            onSuccess: () => toast.success("The sandbox is sending a test event"),
            onError: (error) => toast.error("Couldn't send a test event", { description: error.message }),
          },
        )
      }
    >
      Send a test event
    </Button>
  );
}
