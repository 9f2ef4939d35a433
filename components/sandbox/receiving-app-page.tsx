"use client";

import { useQuery } from "@tanstack/react-query";
import { Inbox, KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { ResourceId } from "#components/records/resource-id";
import { CodeBlock, CopyButton } from "#components/ui/code-block";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/form";
import { NothingYet, withFallback } from "#components/ui/layout/content-states";
import { type Column, DataTable, numberColumn, timeColumn } from "#components/ui/layout/data-table";
import { Panel, PanelBody, PanelHeader, Section } from "#components/ui/layout/section";
import { Dialog } from "#components/ui/overlay/dialog";
import { Badge, StateBadge } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { TextLink } from "#components/ui/primitives/page-link";
import { Select } from "#components/ui/primitives/select";
import { receivingAppQuery, useAddReceiverSecret, useCreateReceiverDestination, useSetBehaviour } from "#lib/client/queries/sandbox";
import { formatNumber } from "#lib/contracts/format-count";
import type { DestinationMode } from "#lib/contracts/forwarding/destinations";
import type { ReceivedRequest, ReceivedSignature, ReceiverAnswer, ReceiverBehaviour, ReceivingApp } from "#lib/contracts/sandbox";

export function ReceivingAppPage() {
  const { data, fallback } = withFallback(useQuery(receivingAppQuery), { what: "the receiving app", rows: 4 });
  if (!data) return fallback;
  const { url, behaviour, received, requests } = data;
  return (
    <div className="grid gap-6 min-[1100px]:grid-cols-[minmax(320px,400px)_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        <Panel>
          <PanelHeader title="Destination" />
          <PanelBody className="flex flex-col gap-4">
            {url === null ? null : (
              <p className="flex min-w-0 items-center gap-1">
                <code className="min-w-0 break-all text-12">{url}</code>
                <CopyButton value={url} label="Copy the receiving app's URL" />
              </p>
            )}
            <CreateReceiverDestination app={data} />
          </PanelBody>
        </Panel>
        <BehaviourForm key={JSON.stringify(behaviour)} behaviour={behaviour} />
        <AddReceiverSecret />
      </div>
      <ReceivedLog received={received} requests={requests} />
    </div>
  );
}

const MODES = [
  { value: "signed", label: "Signed", hint: "Standard Webhooks; the app gets the secret" },
  { value: "pass_through", label: "Pass-through", hint: "the platform's own signature" },
];

function CreateReceiverDestination({ app }: { app: ReceivingApp }) {
  const [mode, setMode] = useState<string>("signed");
  const create = useCreateReceiverDestination(app);
  const submit = () =>
    tellOutcome(
      create.mutateAsync(mode as DestinationMode),
      ({ name }) => toast.success(`Created ${name}`, { description: "Send an event from the sandbox to see it arrive." }),
      "Couldn't create the destination",
    );
  return (
    <div className="flex flex-col gap-4">
      <Field label="Mode">
        <Select options={MODES} value={mode} onValueChange={setMode} />
      </Field>
      <Button variant="primary" icon={<Plus />} loading={create.isPending} onClick={submit} className="self-start">
        Create destination
      </Button>
      {create.data ? (
        <p className="text-13">
          Events are sent here from now on: <TextLink href={`/destinations/${create.data.id}`}>{create.data.name}</TextLink>
        </p>
      ) : null}
    </div>
  );
}

const ANSWERS: { value: ReceiverBehaviour["answer"]; label: string; hint: string }[] = [
  { value: "ok", label: "Accept", hint: "200" },
  { value: "fail_every", label: "Fail every nth", hint: "others 200" },
  { value: "status", label: "Fail always", hint: "with one status" },
  { value: "gone", label: "Gone", hint: "410: the destination is suspended" },
  { value: "redirect", label: "Redirect", hint: "302: not followed" },
];
const DELAYS = [
  { value: "0", label: "At once" },
  { value: "1000", label: "After 1 second" },
  { value: "10000", label: "After 10 seconds" },
  { value: "20000", label: "After 20 seconds", hint: "longer than the timeout of 15" },
];

function BehaviourForm({ behaviour }: { behaviour: ReceiverBehaviour }) {
  const [draft, setDraft] = useState(behaviour);
  const set = useSetBehaviour();
  const change = (changes: Partial<ReceiverBehaviour>) => setDraft({ ...draft, ...changes });
  const fails = draft.answer === "fail_every" || draft.answer === "status";
  const save = () => tellOutcome(set.mutateAsync(draft), "Receiving app's response saved", "Couldn't save");
  return (
    <Panel>
      <PanelHeader title="Response" />
      <PanelBody className="flex flex-col gap-4">
        <Field label="Answer">
          <Select options={ANSWERS} value={draft.answer} onValueChange={(value) => change({ answer: value as ReceiverAnswer })} />
        </Field>
        {fails ? (
          <div className="grid grid-cols-2 gap-3">
            {draft.answer === "fail_every" ? (
              <NumberField label="Every" hint="2 to 100" value={draft.every} onChange={(every) => change({ every })} />
            ) : null}
            <NumberField label="Status" hint="400 to 599" value={draft.status} onChange={(status) => change({ status })} />
          </div>
        ) : null}
        <Field label="Delay">
          <Select options={DELAYS} value={String(draft.delayMs)} onValueChange={(value) => change({ delayMs: Number(value) })} />
        </Field>
        <Button loading={set.isPending} onClick={save} className="self-start">
          Save response
        </Button>
      </PanelBody>
    </Panel>
  );
}

type NumberFieldProps = { label: string; hint: string; value: number; onChange: (value: number) => void };

function NumberField({ label, hint, value, onChange }: NumberFieldProps) {
  return (
    <Field label={label} hint={hint}>
      <Input type="number" value={String(value)} onChange={(event) => onChange(Number(event.target.value))} />
    </Field>
  );
}

function AddReceiverSecret() {
  const [secret, setSecret] = useState("");
  const add = useAddReceiverSecret();
  const save = () =>
    tellOutcome(
      add.mutateAsync(secret.trim()),
      () => {
        setSecret("");
        return "The receiving app verifies with this secret too";
      },
      "Couldn't add the secret",
    );
  return (
    <Panel>
      <PanelHeader title="Signing secrets" />
      <PanelBody className="flex flex-col gap-4">
        <Field label="Also verify with" hint="After rotating a destination's secret, paste the new one here. The newest 5 are used.">
          <Input
            type="password"
            autoComplete="off"
            placeholder="whsec_…"
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
          />
        </Field>
        <Button
          icon={<KeyRound />}
          loading={add.isPending}
          disabled={!secret.trim().startsWith("whsec_")}
          onClick={save}
          className="self-start"
        >
          Add secret
        </Button>
      </PanelBody>
    </Panel>
  );
}

const SIGNATURES: Record<ReceivedSignature, string> = { verified: "Verified", wrong: "Does not match", missing: "Missing" };

function ReceivedLog({ received, requests }: { received: ReceivedRequest[]; requests: number }) {
  return (
    <Section
      title="Received requests"
      description={
        received.length < requests ? `The newest ${received.length} of ${formatNumber(requests)}.` : `${formatNumber(requests)} received.`
      }
      className="min-w-0"
    >
      {received.length === 0 ? (
        <NothingYet icon={<Inbox />} title="Nothing received yet">
          Create a destination, then send an event from the sandbox.
        </NothingYet>
      ) : (
        <DataTable
          label="Requests that the receiving app received"
          className="overflow-x-auto [--sticky-top:0px]"
          columns={RECEIVED_COLUMNS}
          rows={received}
          keyOf={({ id }) => id}
        />
      )}
    </Section>
  );
}

const RECEIVED_COLUMNS: Column<ReceivedRequest>[] = [
  { head: "Answered", cell: ({ status }) => <StateBadge state={status >= 200 && status < 300 ? "fine" : "failed"}>{status}</StateBadge> },
  {
    head: "Signature",
    look: ({ signature }) => (signature === "verified" ? "" : "text-failed"),
    cell: ({ signature }) => SIGNATURES[signature],
  },
  {
    head: "Type",
    look: "w-full min-w-36 max-w-0",
    cell: (request) => (
      <span className="flex items-center gap-2">
        <RequestDialog request={request} />
        {request.seenBefore ? <Badge>Seen before</Badge> : null}
      </span>
    ),
  },
  {
    head: "Event",
    cell: ({ eventId }) => (eventId === null ? null : <ResourceId id={eventId} href={`/events/${encodeURIComponent(eventId)}`} />),
  },
  numberColumn("Attempt", ({ attempt }) => attempt),
  timeColumn("Received", ({ at }) => at),
];

function RequestDialog({ request: { type, headers, body } }: { request: ReceivedRequest }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Dialog
      title={type ?? "Received request"}
      className="max-w-[720px]"
      trigger={
        <button type="button" title={type ?? "Unknown"} className="min-w-0 truncate text-left text-accent-text hover:underline">
          {type ?? "Unknown"}
        </button>
      }
    >
      <div className="flex flex-col gap-4">
        <CodeBlock title="Headers" label="headers" code={lines.join("\n")} />
        <CodeBlock title="Body" label="body" code={body} />
      </div>
    </Dialog>
  );
}
