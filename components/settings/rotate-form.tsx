"use client";

import { useState } from "react";
import { Button } from "#components/ui/button";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { ProblemNotice } from "#components/ui/problem-notice";
import { Select } from "#components/ui/select";
import type { RotateSecretBody } from "#lib/contracts/settings";

const OVERLAPS = [
  { value: "24", label: "24 hours", hint: "time to change it at the platform" },
  { value: "1", label: "1 hour" },
  { value: "168", label: "7 days" },
  { value: "0", label: "None", hint: "the old secret leaked: refuse it at once" },
];

const MAKERS = [
  { value: "us", label: "Make a random one", hint: "shown once, to be set at the platform" },
  { value: "platform", label: "Enter the platform's", hint: "where the platform issues it" },
];

type RotateFormProps = { error: Error | null; pending: boolean; onSubmit: (body: RotateSecretBody) => void; onCancel: () => void };

/** Whose secret comes next, and how long the one before it goes on. */
export function RotateForm({ error, pending, onSubmit, onCancel }: RotateFormProps) {
  const [overlap, setOverlap] = useState("24");
  const [maker, setMaker] = useState("us");
  const [secret, setSecret] = useState("");
  const own = maker === "platform";
  function submit(event: React.FormEvent) {
    event.preventDefault();
    onSubmit({ overlapHours: Number(overlap), ...(own && { secret }) });
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      {error ? <ProblemNotice announce what="The secret was not rotated" why={error.message} /> : null}
      <Field label="New secret">
        <Select options={MAKERS} value={maker} onValueChange={setMaker} />
      </Field>
      {own ? (
        <Field label="The platform's secret" hint="8 characters or more, to the letter: no quotes, no white space around it.">
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
      <Field label="Accept the old secret for" hint="Webhooks signed with either secret are accepted meanwhile.">
        <Select options={OVERLAPS} value={overlap} onValueChange={setOverlap} />
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" loading={pending}>
          {own ? "Set the secret" : "Make a new secret"}
        </Button>
      </div>
    </form>
  );
}
