"use client";

import { toast } from "#components/ui/feedback/toast";
import { Dialog } from "#components/ui/overlay/dialog";
import { useChangeAlertChannel } from "#lib/client/queries/alerts";
import type { AlertChannel, ChangeAlertChannelBody } from "#lib/contracts/alerts/channels";
import { type ChannelFields, ChannelForm } from "./channel-form.tsx";

type EditChannelDialogProps = { channel: AlertChannel; open: boolean; onOpenChange: (open: boolean) => void };

/** Changes a channel. An empty URL or key keeps the stored one. */
export function EditChannelDialog({ channel, open, onOpenChange }: EditChannelDialogProps) {
  const change = useChangeAlertChannel(channel.id);
  function setOpen(next: boolean) {
    onOpenChange(next);
    if (!next) change.reset();
  }
  const submit = (fields: ChannelFields) =>
    change.mutate(bodyOf(channel, fields), {
      onSuccess: () => {
        toast.success(`Saved ${fields.name}`);
        setOpen(false);
      },
    });
  return (
    <Dialog open={open} onOpenChange={setOpen} title={`Edit ${channel.name}`}>
      <ChannelForm
        kind={channel.kind}
        channel={channel}
        error={change.error}
        pending={change.isPending}
        submitLabel="Save channel"
        onSubmit={submit}
        onCancel={() => setOpen(false)}
      />
    </Dialog>
  );
}

const bodyOf = ({ kind }: AlertChannel, { name, rules, recipients, url, routingKey, secret }: ChannelFields): ChangeAlertChannelBody => ({
  name,
  rules,
  ...(kind === "email" ? { recipients } : url !== "" && { url }),
  ...(routingKey !== "" && { routingKey }),
  ...(secret !== "" && { secret }),
});
