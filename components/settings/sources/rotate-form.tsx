"use client";

import { useState } from "react";
import { Field } from "#components/ui/forms/field";
import { Form, FormButtons } from "#components/ui/forms/form";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import type { RotateSecretBody } from "#lib/contracts/auth/settings";

const OVERLAPS = [
  { value: "24", label: "24 hours", hint: "time to update the platform" },
  { value: "1", label: "1 hour" },
  { value: "168", label: "7 days" },
  { value: "0", label: "None", hint: "the old secret leaked: stop accepting it now" },
];

const ISSUERS = [
  { value: "us", label: "Generate one", hint: "shown once, then copy it to the platform" },
  { value: "platform", label: "Enter the platform's secret", hint: "if the platform issues it" },
];

/** `issued`: only the sender makes the secret. */
type RotateFormProps = {
  issued: boolean;
  error: Error | null;
  pending: boolean;
  onSubmit: (body: RotateSecretBody) => void;
  onCancel: () => void;
};

export function RotateForm({ issued, error, pending, onSubmit, onCancel }: RotateFormProps) {
  const [overlap, setOverlap] = useState("24");
  const [issuer, setIssuer] = useState("us");
  const [secret, setSecret] = useState("");
  const own = issued || issuer === "platform";
  const submit = () => onSubmit({ overlapHours: Number(overlap), ...(own && { secret }) });
  return (
    <Form failed="Couldn't rotate the secret" error={error} onSubmit={submit}>
      {issued ? null : (
        <Field label="New secret">
          <Select options={ISSUERS} value={issuer} onValueChange={setIssuer} />
        </Field>
      )}
      {own ? (
        <Field
          name="secret"
          label={issued ? "The sender's secret" : "The platform's secret"}
          hint="At least 8 characters, exactly as issued: no quotes, no spaces around it."
        >
          <Input
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
            minLength={8}
            required
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
          />
        </Field>
      ) : null}
      <Field name="overlapHours" label="Accept the old secret for" hint="Until then, webhooks signed with either secret are accepted.">
        <Select options={OVERLAPS} value={overlap} onValueChange={setOverlap} />
      </Field>
      <FormButtons submitLabel={own ? "Set secret" : "Generate secret"} pending={pending} onCancel={onCancel} />
    </Form>
  );
}
