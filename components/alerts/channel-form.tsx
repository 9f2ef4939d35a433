import { type ComponentProps, useState } from "react";
import { Field, Form, FormButtons, Textarea } from "#components/ui/form";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { Input } from "#components/ui/primitives/input";
import { OwnSecretField } from "#components/ui/secrets";
import { ALERT_RULES, RULE_WORDS } from "#lib/contracts/alert-rules";
import type { AlertChannel, AlertChannelKind, AlertRuleKind } from "#lib/contracts/alerts";
import { enterAgainWords, leadsElsewhere } from "#lib/contracts/forwarding/entered-again";

/** The caller knows which of these fields the kind of channel takes. */
export type ChannelFields = { name: string; rules: AlertRuleKind[]; recipients: string[]; url: string; routingKey: string; secret: string };

type ChannelFormProps = {
  kind: AlertChannelKind;
  channel: AlertChannel | null;
  error: Error | null;
  pending: boolean;
  submitLabel: string;
  onSubmit: (fields: ChannelFields) => void;
  onCancel: () => void;
};

export function ChannelForm({ kind, channel, error, pending, submitLabel, onSubmit, onCancel }: ChannelFormProps) {
  const [rules, setRules] = useState<AlertRuleKind[]>(channel?.rules ?? []);
  const [some, setSome] = useState(rules.length > 0);
  function submit(fields: FormData) {
    const value = (name: string) => String(fields.get(name) ?? "").trim();
    const recipients = value("recipients")
      .split(/[\s,;]+/)
      .filter(Boolean);
    const where = { recipients, url: value("url"), routingKey: value("routingKey"), secret: value("secret") };
    onSubmit({ name: value("name"), rules: some ? rules : [], ...where });
  }
  const choose = (kind: AlertRuleKind, on: boolean) => setRules(ALERT_RULES.filter((each) => (each === kind ? on : rules.includes(each))));
  return (
    <Form failed="Couldn't save the channel" error={error} onSubmit={submit}>
      <Field name="name" label="Name" hint="Who is notified, e.g. “On call”.">
        <Input name="name" required maxLength={80} defaultValue={channel?.name} />
      </Field>
      <ChannelWhere kind={kind} channel={channel} />
      <Checkbox checked={!some} onCheckedChange={(all) => setSome(!all)}>
        Notify about every rule
      </Checkbox>
      {some ? (
        <fieldset className="flex flex-col gap-1.5 pl-6">
          <legend className="sr-only">Rules</legend>
          {ALERT_RULES.map((rule) => (
            <Checkbox key={rule} checked={rules.includes(rule)} onCheckedChange={(on) => choose(rule, on)}>
              {RULE_WORDS[rule].title}
            </Checkbox>
          ))}
        </fieldset>
      ) : null}
      <FormButtons submitLabel={submitLabel} pending={pending} disabled={some && rules.length === 0} onCancel={onCancel} />
    </Form>
  );
}

type UrlHint = { placeholder: string; hint: string };

const URL_HINTS: Record<Exclude<AlertChannelKind, "email" | "pagerduty">, UrlHint> = {
  slack: { placeholder: "https://hooks.slack.com/services/…", hint: "From an app with incoming webhooks." },
  teams: { placeholder: "https://….logic.azure.com/workflows/…", hint: "From a workflow that posts when a webhook request is received." },
  discord: { placeholder: "https://discord.com/api/webhooks/…", hint: "From Channel settings > Integrations > Webhooks." },
  webhook: { placeholder: "https://ops.example.com/alerts", hint: "Signed with the Standard Webhooks scheme." },
};

function ChannelWhere({ kind, channel }: { kind: AlertChannelKind; channel: AlertChannel | null }) {
  if (kind === "email")
    return (
      <Field name="recipients" label="Email addresses" hint="One or more, separated by commas or lines.">
        <Textarea name="recipients" required rows={2} defaultValue={channel?.recipients.join("\n")} placeholder="ops@example.com" />
      </Field>
    );
  if (kind === "pagerduty") return <PagerDutyFields channel={channel} />;
  if (kind === "webhook") return <WebhookFields channel={channel} />;
  const words = URL_HINTS[kind];
  if (!words) return null; // a kind of a newer version: only its name and rules can be changed
  const { placeholder, hint } = words;
  const keep = channel ? { placeholder: "Leave empty to keep it", required: false } : { placeholder, required: true };
  return (
    <Field name="url" label="URL" hint={`${hint} It is stored encrypted and not shown again.`}>
      <UrlInput {...keep} />
    </Field>
  );
}

/** `moves`: the URL leads to another host than the stored one. */
function useUrl(channel: AlertChannel | null) {
  const [url, setUrl] = useState(channel?.target ?? "");
  return { url, setUrl, moves: channel !== null && url.trim() !== "" && leadsElsewhere(channel.target, url) };
}

function PagerDutyFields({ channel }: { channel: AlertChannel | null }) {
  const { url, setUrl, moves } = useUrl(channel);
  const keep = channel && !moves ? { placeholder: "Leave empty to keep it", required: false } : { required: true };
  const hint = moves
    ? enterAgainWords("integration key")
    : "From an Events API v2 integration. It is stored encrypted and not shown again.";
  return (
    <>
      <Field name="routingKey" label="Integration key" hint={hint}>
        <Input name="routingKey" type="password" autoComplete="off" maxLength={200} className="font-mono" {...keep} />
      </Field>
      <Field name="url" label="Events API URL" optional hint="EU accounts: https://events.eu.pagerduty.com/v2/enqueue">
        <UrlInput value={url} onChange={(event) => setUrl(event.target.value)} placeholder="https://events.pagerduty.com/v2/enqueue" />
      </Field>
    </>
  );
}

function WebhookFields({ channel }: { channel: AlertChannel | null }) {
  const { url, setUrl, moves } = useUrl(channel);
  return (
    <>
      <Field name="url" label="URL" hint={URL_HINTS.webhook.hint}>
        <UrlInput value={url} onChange={(event) => setUrl(event.target.value)} placeholder={URL_HINTS.webhook.placeholder} required />
      </Field>
      {moves ? <OwnSecretField hint={enterAgainWords("signing secret")} /> : null}
    </>
  );
}

const UrlInput = (props: ComponentProps<typeof Input>) => (
  <Input name="url" inputMode="url" maxLength={2000} className="font-mono" {...props} />
);
