"use client";

import { useState } from "react";
import { Field } from "#components/ui/forms/field";
import { Form, FormButtons } from "#components/ui/forms/form";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { Input } from "#components/ui/primitives/input";
import type { AlertChannel, AlertChannelKind } from "#lib/contracts/alerts/channels";
import { ALERT_RULES, type AlertRuleKind, RULE_WORDS } from "#lib/contracts/alerts/rules";
import { ChannelWhere } from "./channel-where.tsx";

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
