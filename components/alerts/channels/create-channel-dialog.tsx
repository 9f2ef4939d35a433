"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { SecretOnce, secretCloses } from "#components/ui/feedback/secret-once";
import { Field } from "#components/ui/forms/field";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Select } from "#components/ui/primitives/select";
import { useCreateAlertChannel } from "#lib/client/queries/alerts";
import {
  type AlertChannelKind,
  alertChannelKind,
  CHANNEL_LABELS,
  type CreateAlertChannelBody,
  type CreatedAlertChannel,
} from "#lib/contracts/alerts/channels";
import { TestButton } from "./channel-actions.tsx";
import { type ChannelFields, ChannelForm } from "./channel-form.tsx";

const KINDS = alertChannelKind.options.map((value) => ({ value, label: CHANNEL_LABELS[value] }));

/** `email`: this installation can send email. */
export function CreateChannelDialog({ email }: { email: boolean }) {
  const [open, setOpen] = useState(false);
  const [kind, setKind] = useState<AlertChannelKind>("email");
  const create = useCreateAlertChannel();
  useCommands([{ label: "Add alert channel", run: () => setOpen(true) }]);
  function change(next: boolean) {
    setOpen(next);
    if (!next) create.reset();
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      closes={secretCloses(create.isPending, create.data?.secret)}
      title={create.data ? `Created ${create.data.name}` : "Add channel"}
      trigger={
        <Button variant="primary" icon={<Plus aria-hidden />}>
          Add channel
        </Button>
      }
    >
      {create.data ? (
        <Created channel={create.data} onClose={() => change(false)} />
      ) : (
        <div className="flex flex-col gap-4">
          <Field label="Type">
            <Select options={KINDS} value={kind} onValueChange={(value) => setKind(value as AlertChannelKind)} />
          </Field>
          {kind === "email" && !email ? (
            <ProblemNotice
              tone="attention"
              what="This installation can't send email yet"
              fix="Set SMTP_URL and MAIL_FROM in the environment of web and worker, and restart both."
            />
          ) : null}
          <ChannelForm
            key={kind}
            kind={kind}
            channel={null}
            error={create.error}
            pending={create.isPending}
            submitLabel="Add channel"
            onSubmit={(fields) => create.mutate(bodyOf(kind, fields))}
            onCancel={() => change(false)}
          />
        </div>
      )}
    </Dialog>
  );
}

function bodyOf(kind: AlertChannelKind, { name, rules, recipients, url, routingKey }: ChannelFields): CreateAlertChannelBody {
  if (kind === "email") return { kind, name, rules, recipients };
  if (kind === "pagerduty") return { kind, name, rules, routingKey, ...(url !== "" && { url }) };
  return { kind, name, rules, url };
}

function Created({ channel: { id, name, secret }, onClose }: { channel: CreatedAlertChannel; onClose: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      {secret === null ? (
        <p className="text-13">Send a test to see that messages arrive.</p>
      ) : (
        <SecretOnce secret={secret} what="secret" keep="Your application verifies the signatures with it." />
      )}
      <div className="flex justify-end gap-2">
        <TestButton id={id} name={name} />
        <Button size="sm" variant="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
