import { useQuery } from "@tanstack/react-query";
import { Bell, Ellipsis, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/form";
import { NothingYet, withFallback } from "#components/ui/layout/content-states";
import { Section } from "#components/ui/layout/section";
import { ConfirmDialog, Dialog } from "#components/ui/overlay/dialog";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { StateBadge } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { IconButton } from "#components/ui/primitives/icon-button";
import { Select } from "#components/ui/primitives/select";
import { useWindowAction } from "#components/ui/primitives/use-action";
import { RelativeTime } from "#components/ui/relative-time";
import { SecretOnce, secretCloses } from "#components/ui/secrets";
import {
  alertChannelsQuery,
  useChangeAlertChannel,
  useCreateAlertChannel,
  useDeleteAlertChannel,
  useTestAlertChannel,
} from "#lib/client/queries/alerts";
import { ALERT_CHANNEL_KINDS, CHANNEL_LABELS, RULE_WORDS } from "#lib/contracts/alert-rules";
import type {
  AlertChannel,
  AlertChannelKind,
  ChangeAlertChannelBody,
  CreateAlertChannelBody,
  CreatedAlertChannel,
} from "#lib/contracts/alerts";
import { type ChannelFields, ChannelForm } from "./channel-form.tsx";

export function ChannelsSection({ canManage }: { canManage: boolean }) {
  const { data, fallback } = withFallback(useQuery(alertChannelsQuery), { what: "the channels", rows: 2 });
  return (
    <Section
      title="Channels"
      description="Where alerts are sent. Alerts within a minute share one message."
      actions={canManage ? <CreateChannelDialog email={data?.email ?? true} /> : undefined}
    >
      {!data ? (
        fallback
      ) : data.data.length === 0 ? (
        <NothingYet icon={<Bell />} title="No channels yet">
          {canManage
            ? "Nobody is notified when something fails. Add an email address, a chat or PagerDuty."
            : "Nobody is notified when something fails. A developer, admin or owner can add a channel."}
        </NothingYet>
      ) : (
        <ul aria-label="Channels" className="border-t border-line">
          {data.data.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} canManage={canManage} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function ChannelRow({ channel, canManage }: { channel: AlertChannel; canManage: boolean }) {
  const { name, kind, target, rules, lastFailure, failingSince } = channel;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line px-3 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium">{name}</span>
          <ChannelState channel={channel} />
        </p>
        <p className="mt-0.5 break-words text-12 text-muted">
          {CHANNEL_LABELS[kind] ?? kind} · {target}
        </p>
        {rules.length === 0 ? null : (
          <p className="mt-0.5 text-12 text-muted">Only: {rules.map((rule) => RULE_WORDS[rule].title).join(", ")}</p>
        )}
        {failingSince === null || lastFailure === null ? null : (
          <p className="mt-1 break-words text-13 text-failed">
            {lastFailure.detail} <RelativeTime at={lastFailure.at} />
          </p>
        )}
      </div>
      {canManage ? <ChannelActions channel={channel} /> : null}
    </li>
  );
}

function ChannelState({ channel: { failingSince, lastSentAt } }: { channel: AlertChannel }) {
  if (failingSince !== null)
    return (
      <StateBadge state="failed">
        Failing since <RelativeTime at={failingSince} />
      </StateBadge>
    );
  if (lastSentAt === null) return <StateBadge state="neutral">Nothing sent yet</StateBadge>;
  return (
    <StateBadge state="fine">
      Last sent <RelativeTime at={lastSentAt} />
    </StateBadge>
  );
}

const KINDS = ALERT_CHANNEL_KINDS.map((value) => ({ value, label: CHANNEL_LABELS[value] }));

/** `email`: this installation can send email. */
function CreateChannelDialog({ email }: { email: boolean }) {
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
        <Button variant="primary" icon={<Plus />}>
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

function ChannelActions({ channel }: { channel: AlertChannel }) {
  const { id, name } = channel;
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const remove = useDeleteAlertChannel(id);
  return (
    <div className="flex items-center gap-1">
      <TestButton id={id} name={name} />
      <DropdownMenu
        label={`${name}: more`}
        trigger={<IconButton label={`${name}: more`} icon={<Ellipsis />} />}
        entries={[
          { label: "Edit channel", icon: <Pencil />, onSelect: () => setOpen("edit") },
          { label: "Delete channel", icon: <Trash2 />, onSelect: () => setOpen("delete") },
        ]}
      />
      <EditChannelDialog channel={channel} open={open === "edit"} onOpenChange={(next) => setOpen(next ? "edit" : null)} />
      <ConfirmDialog
        open={open === "delete"}
        onOpenChange={(next) => setOpen(next ? "delete" : null)}
        title={`Delete ${name}?`}
        description="Alerts are no longer sent to it, and its secret is deleted. Alerts already sent stay in the list."
        confirmLabel="Delete channel"
        danger
        onConfirm={() => remove.mutateAsync(undefined)}
        done={`Deleted ${name}`}
      />
    </div>
  );
}

function TestButton({ id, name }: { id: string; name: string }) {
  const test = useTestAlertChannel(id);
  return (
    <Button
      size="sm"
      loading={test.isPending}
      aria-label={`Send test over ${name}`}
      onClick={() =>
        tellOutcome(
          test.mutateAsync(undefined),
          ({ arrived, detail }) =>
            arrived
              ? toast.success("The test message arrived", { description: detail })
              : toast.error("The test message did not arrive", { description: detail }),
          "Couldn't send the test message",
        )
      }
    >
      Send test
    </Button>
  );
}

type EditChannelDialogProps = { channel: AlertChannel; open: boolean; onOpenChange: (open: boolean) => void };

/** Changes a channel. An empty URL or key keeps the stored one. */
function EditChannelDialog({ channel, open, onOpenChange }: EditChannelDialogProps) {
  const change = useChangeAlertChannel(channel.id);
  const save = async (fields: ChannelFields) => {
    await change.mutateAsync(changesOf(channel, fields));
    toast.success(`Saved ${fields.name}`);
  };
  const { run, busy, problem, change: setOpen } = useWindowAction(`Couldn't save ${channel.name}`, save, onOpenChange);
  return (
    <Dialog open={open} onOpenChange={setOpen} title={`Edit ${channel.name}`}>
      <ChannelForm
        kind={channel.kind}
        channel={channel}
        error={problem}
        pending={busy}
        submitLabel="Save channel"
        onSubmit={run}
        onCancel={() => setOpen(false)}
      />
    </Dialog>
  );
}

const changesOf = (
  { kind }: AlertChannel,
  { name, rules, recipients, url, routingKey, secret }: ChannelFields,
): ChangeAlertChannelBody => ({
  name,
  rules,
  ...(kind === "email" ? { recipients } : url !== "" && { url }),
  ...(routingKey !== "" && { routingKey }),
  ...(secret !== "" && { secret }),
});
