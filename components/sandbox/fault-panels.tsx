"use client";

import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { PanelBody } from "#components/ui/layout/section";
import { ConfirmDialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { useRevokeGrants, useRunScenario, useSendEvent } from "#lib/client/queries/sandbox";
import { countWords } from "#lib/contracts/format-count";
import type { LateScenario, MissingScenario, SandboxFault } from "#lib/contracts/sandbox";
import { FAULT_LABELS } from "./sandbox-labels.tsx";
import { SandboxPart } from "./sandbox-part.tsx";

const FAULTS = Object.entries(FAULT_LABELS) as [SandboxFault, (typeof FAULT_LABELS)[SandboxFault]][];

const tellSending = (label: string, sending: Promise<{ queued: number }>) =>
  tellOutcome(sending, ({ queued }) => `${label}: sending ${countWords(queued, "webhook")}`, `${label}: couldn't send`);

export function FaultsPanel() {
  const sending = useSendEvent();
  const send = (fault: SandboxFault) => tellSending(FAULT_LABELS[fault].label, sending.mutateAsync({ type: "document.processed", fault }));
  return (
    <SandboxPart title="Simulate faults">
      <ul>
        {FAULTS.map(([fault, { label, expect }]) => (
          <li key={fault} className="flex items-center gap-3 border-b border-line px-4 py-2">
            <div className="min-w-0 flex-1">
              <p className="text-13">{label}</p>
              <p className="text-12 text-muted">{expect}</p>
            </div>
            <Button
              size="sm"
              aria-label={`Send ${label.toLowerCase()}`}
              loading={sending.isPending && sending.variables.fault === fault}
              onClick={() => send(fault)}
            >
              Send
            </Button>
          </li>
        ))}
      </ul>
      <PanelBody className="flex flex-col items-start gap-3">
        <p className="text-13 text-muted">
          The permission dialog can simulate faults too: <TextLink href="/connections">connect an account</TextLink> to try them.
        </p>
        <RevokeGrants />
      </PanelBody>
    </SandboxPart>
  );
}

function RevokeGrants() {
  const revoking = useRevokeGrants();
  return (
    <ConfirmDialog
      trigger={<Button>Revoke all grants</Button>}
      title="Revoke all grants?"
      description="The sandbox revokes every permission it granted. Each connection has to be reconnected once its access token expires."
      confirmLabel="Revoke all grants"
      danger
      onConfirm={async () => {
        const { revoked } = await revoking.mutateAsync({});
        toast.success(`Revoked ${countWords(revoked, "grant")}`);
      }}
    />
  );
}

type Pair = { missing: MissingScenario; late: LateScenario; label: string; expect: string };

const PAIRS: Pair[] = [
  {
    missing: "task_never_created",
    late: "task_created_late",
    label: "Task without task.created",
    expect: "Assigned and completed, but task.created is never sent.",
  },
  {
    missing: "upload_never_received",
    late: "upload_received_late",
    label: "Document without document.uploaded",
    expect: "document.processed is sent, document.uploaded never is.",
  },
  {
    missing: "run_never_ends",
    late: "run_ends_late",
    label: "Run that never ends",
    expect: "Triggered 45 minutes ago, with no events since.",
  },
  {
    missing: "stage_never_entered",
    late: "stage_entered_late",
    label: "Stage never entered",
    expect: "The task leaves Review without having entered it.",
  },
  {
    missing: "disconnected_yet_working",
    late: "reconnected_late",
    label: "Disconnected but still active",
    expect: "The platform keeps renewing an account that it disconnected. Needs one connected account.",
  },
  {
    missing: "source_stops_sending",
    late: "source_resumes_sending",
    label: "Silent source",
    expect: "An event every minute, then none. Detected 10 minutes later, if no other events arrive.",
  },
];

export function MissingPanel() {
  const running = useRunScenario();
  const run = (scenario: MissingScenario | LateScenario, label: string) =>
    tellSending(label, running.mutateAsync({ scenario, pace: 0, shuffled: false }));
  const isRunning = (scenario: MissingScenario | LateScenario) => running.isPending && running.variables.scenario === scenario;
  return (
    <SandboxPart title="Drop an event">
      <ul>
        {PAIRS.map(({ missing, late, label, expect }) => (
          <li key={missing} className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2">
            <div className="min-w-0 flex-1 basis-44">
              <p className="text-13">{label}</p>
              <p className="text-12 text-muted">{expect}</p>
            </div>
            <div className="flex gap-2">
              <Button
                size="sm"
                aria-label={`Drop event: ${label.toLowerCase()}`}
                loading={isRunning(missing)}
                onClick={() => run(missing, label)}
              >
                Drop event
              </Button>
              <Button
                size="sm"
                aria-label={`Send missing event: ${label.toLowerCase()}`}
                loading={isRunning(late)}
                onClick={() => run(late, label)}
              >
                Send missing event
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <PanelBody>
        <p className="text-13 text-muted">
          It appears under <TextLink href="/missing-events">Missing events</TextLink> after about 20 seconds, and closes automatically when
          the event arrives.
        </p>
      </PanelBody>
    </SandboxPart>
  );
}
