"use client";

import { type FormEvent, useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Field } from "#components/ui/forms/field";
import { Textarea } from "#components/ui/forms/textarea";
import { Button } from "#components/ui/primitives/button";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { Input } from "#components/ui/primitives/input";
import type { AlertChannel, AlertChannelKind } from "#lib/contracts/alerts/channels";
import { ALERT_RULES, type AlertRuleKind, RULE_WORDS } from "#lib/contracts/alerts/rules";

/** What the form says; which of it a kind of channel takes, its caller knows. */
export type ChannelFields = { name: string; rules: AlertRuleKind[]; recipients: string[]; url: string; routingKey: string };

type ChannelFormProps = {
  kind: AlertChannelKind;
  /** What it is now; null for a new one. */
  channel: AlertChannel | null;
  error: Error | null;
  pending: boolean;
  submitLabel: string;
  onSubmit: (fields: ChannelFields) => void;
  onCancel: () => void;
};

/** Name, where to, and which rules. */
export function ChannelForm({ kind, channel, error, pending, submitLabel, onSubmit, onCancel }: ChannelFormProps) {
  const [rules, setRules] = useState<AlertRuleKind[]>(channel?.rules ?? []);
  const [some, setSome] = useState(rules.length > 0);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const value = (name: string) => String(fields.get(name) ?? "").trim();
    const recipients = value("recipients")
      .split(/[\s,;]+/)
      .filter(Boolean);
    onSubmit({ name: value("name"), rules: some ? rules : [], recipients, url: value("url"), routingKey: value("routingKey") });
  }
  const choose = (kind: AlertRuleKind, on: boolean) => setRules(ALERT_RULES.filter((each) => (each === kind ? on : rules.includes(each))));
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {error ? <ProblemNotice announce what="Couldn't save the channel" why={error.message} /> : null}
      <Field label="Name" hint="Who is notified, e.g. “On call”.">
        <Input name="name" required maxLength={80} defaultValue={channel?.name} />
      </Field>
      <Where kind={kind} channel={channel} />
      <Checkbox checked={!some} onCheckedChange={(all) => setSome(!all)}>
        Tell it of every rule
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
      <div className="flex justify-end gap-2">
        <Button disabled={pending} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" loading={pending} disabled={some && rules.length === 0}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

const URL_HINTS: Record<Exclude<AlertChannelKind, "email" | "pagerduty">, { placeholder: string; hint: string }> = {
  slack: { placeholder: "https://hooks.slack.com/services/…", hint: "From an app with incoming webhooks." },
  teams: { placeholder: "https://….logic.azure.com/workflows/…", hint: "From a workflow that posts when a webhook request is received." },
  discord: { placeholder: "https://discord.com/api/webhooks/…", hint: "From Channel settings > Integrations > Webhooks." },
  webhook: { placeholder: "https://ops.example.com/alerts", hint: "Signed as by Standard Webhooks." },
};

function Where({ kind, channel }: Pick<ChannelFormProps, "kind" | "channel">) {
  if (kind === "email")
    return (
      <Field label="Addresses" hint="One or more, separated by commas or lines.">
        <Textarea name="recipients" required rows={2} defaultValue={channel?.recipients.join("\n")} placeholder="ops@example.com" />
      </Field>
    );
  const keep = channel && kind !== "webhook" ? { placeholder: "Leave empty to keep it", required: false } : { required: true };
  if (kind === "pagerduty")
    return (
      <>
        <Field label="Integration key" hint="Of an Events API v2 integration. It is stored encrypted and not shown again.">
          <Input name="routingKey" type="password" autoComplete="off" maxLength={200} className="font-mono" {...keep} />
        </Field>
        <Field label="Events API URL" optional hint="EU accounts: https://events.eu.pagerduty.com/v2/enqueue">
          <Input
            name="url"
            inputMode="url"
            maxLength={2000}
            className="font-mono"
            defaultValue={channel?.target}
            placeholder="https://events.pagerduty.com/v2/enqueue"
          />
        </Field>
      </>
    );
  const words = URL_HINTS[kind];
  if (!words) return null; // a kind of a newer version: only its name and rules can be changed
  const { placeholder, hint } = words;
  return (
    <Field label="URL" hint={kind === "webhook" ? hint : `${hint} It is stored encrypted and not shown again.`}>
      <Input
        name="url"
        inputMode="url"
        maxLength={2000}
        className="font-mono"
        placeholder={placeholder}
        {...keep}
        {...(kind === "webhook" && channel && { defaultValue: channel.target })}
      />
    </Field>
  );
}
