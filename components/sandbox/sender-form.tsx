"use client";

import { Send } from "lucide-react";
import { useState } from "react";
import { Field, Form, Textarea } from "#components/ui/form";
import { NothingYet, withFallback } from "#components/ui/layout/content-states";
import { Panel, PanelBody, PanelHeader } from "#components/ui/layout/section";
import { Button, LinkButton } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { useSendAs } from "#lib/client/queries/sandbox";
import { useSources } from "#lib/client/queries/settings";
import type { SenderEventSent, SenderFault } from "#lib/contracts/sandbox";
import type { Source } from "#lib/contracts/sources/sources";
import { SENDER_FAULT_LABELS } from "./sandbox-labels.tsx";

const NONE = "none";
/** The platform has its own page; the others can't be signed for. */
const NOT_HERE: ReadonlySet<Source["template"]> = new Set(["platform", "sns", "unknown"]);
const FAULTS = [
  { value: NONE, label: "None", hint: "an example event of the sender" },
  ...Object.entries(SENDER_FAULT_LABELS).map(([value, words]) => ({ value, ...words })),
];

export function SenderForm() {
  const { data, fallback } = withFallback(useSources(), { what: "the sources", rows: 4 });
  if (!data) return fallback;
  const sources = data.filter(({ archivedAt, template }) => archivedAt === null && !NOT_HERE.has(template));
  const [first] = sources;
  if (!first)
    return (
      <NothingYet title="No source to send to yet" actions={<LinkButton href="/settings/sources">Open Sources and secrets</LinkButton>}>
        Add a source for Stripe, GitHub or another sender. Then the sandbox can send to it as that sender would.
      </NothingYet>
    );
  return <SendAs sources={sources} first={first} />;
}

function SendAs({ sources, first }: { sources: Source[]; first: Source }) {
  const [name, setName] = useState(first.name);
  const [fault, setFault] = useState<string>(NONE);
  const sending = useSendAs();
  const source = sources.find((each) => each.name === name) ?? first;
  function submit(form: FormData) {
    const text = (field: string) => String(form.get(field) ?? "");
    const body = text("body");
    sending.mutate({
      source: source.name,
      secret: text("secret").trim(),
      ...(fault === "retired_secret" && { retiredSecret: text("retiredSecret").trim() }),
      ...(body.trim() !== "" && { body }),
      fault: fault === NONE ? null : (fault as SenderFault),
    });
  }
  return (
    <Panel>
      <PanelHeader title="Send as another sender" />
      <PanelBody>
        <Form failed="Couldn't send the event" error={sending.error} onSubmit={submit}>
          <Field label="Source">
            <Select
              options={sources.map((each) => ({ value: each.name, label: each.name, hint: each.sender }))}
              value={source.name}
              onValueChange={setName}
            />
          </Field>
          {source.trust === "network" ? null : (
            <Field label="Secret" hint="The source's secret, as you entered it at the sender. It is not stored.">
              <Input name="secret" type="password" autoComplete="off" required maxLength={500} className="font-mono" />
            </Field>
          )}
          <Field label="Fault">
            <Select options={FAULTS} value={fault} onValueChange={setFault} />
          </Field>
          {fault === "retired_secret" ? (
            <Field label="Retired secret" hint="The source's secret before the last rotation.">
              <Input name="retiredSecret" type="password" autoComplete="off" required maxLength={500} className="font-mono" />
            </Field>
          ) : null}
          <Field label="Body" optional hint="Leave empty to send an example event.">
            <Textarea name="body" rows={6} spellCheck={false} maxLength={50_000} className="font-mono text-12" />
          </Field>
          <Button type="submit" icon={<Send />} loading={sending.isPending} className="self-start">
            Send to {source.name}
          </Button>
        </Form>
        {sending.data ? <Answers sent={sending.data} /> : null}
      </PanelBody>
    </Panel>
  );
}

function Answers({ sent: { requests } }: { sent: SenderEventSent }) {
  return (
    <ul role="status" className="mt-4 flex flex-col gap-2" aria-label="Answers">
      {requests.map(({ status, answer }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are alike, and never move
        <li key={index} className="break-all font-mono text-12">
          {status ?? ""} {answer}
        </li>
      ))}
    </ul>
  );
}
