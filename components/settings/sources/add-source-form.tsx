"use client";

import { type FormEvent, useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Field } from "#components/ui/forms/field";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import type { CreateSourceBody } from "#lib/contracts/sources/sources";
import type { SourceTemplate, SourceTemplateName } from "#lib/contracts/sources/templates";
import { SchemeFields, schemeOfForm } from "./scheme-fields.tsx";

type AddSourceFormProps = {
  templates: SourceTemplate[];
  error: Error | null;
  pending: boolean;
  onSubmit: (body: CreateSourceBody) => void;
  onCancel: () => void;
};

/** Shows who sends, under which name, and with which secret. */
export function AddSourceForm({ templates, error, pending, onSubmit, onCancel }: AddSourceFormProps) {
  const [chosen, setChosen] = useState<SourceTemplateName>("stripe");
  const [name, setName] = useState<string | null>(null);
  const template = templates.find((one) => one.name === chosen);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const secret = String(form.get("secret") ?? "");
    const scheme = schemeOfForm(chosen, form);
    onSubmit({ name: name ?? chosen, template: chosen, ...(secret !== "" && { secret }), ...(scheme && { scheme }) });
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {error ? <ProblemNotice announce what="Couldn't add the source" why={error.message} /> : null}
      <Field label="Sender">
        <Select
          options={templates.map(({ name: value, title }) => ({ value, label: title }))}
          value={chosen}
          onValueChange={(value) => setChosen(value as SourceTemplateName)}
        />
      </Field>
      <Field label="Name" hint="The end of the URL: /webhooks/name. Lowercase letters, digits and dashes.">
        <Input
          required
          maxLength={63}
          pattern="[a-z0-9][a-z0-9\-]*"
          autoComplete="off"
          spellCheck={false}
          value={name ?? chosen}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <SchemeFields template={chosen} />
      {template?.needsSecret ? (
        <Field label="Secret" hint={secretHintOf(template)}>
          <Input
            name="secret"
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
            minLength={8}
            maxLength={500}
            required={!template.generatesSecret}
          />
        </Field>
      ) : null}
      {template ? <Facts template={template} /> : null}
      <div className="flex justify-end gap-2">
        <Button disabled={pending} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" loading={pending}>
          Add source
        </Button>
      </div>
    </form>
  );
}

const secretHintOf = ({ secretHint, generatesSecret }: SourceTemplate) =>
  generatesSecret ? `${secretHint} Leave it empty to generate one.` : secretHint;

const PROVES: Record<SourceTemplate["trust"], string> = {
  signed: "Requests are signed: nobody else can send them or change their body.",
  token: "Requests carry a secret and are not signed: anyone who learns it can send anything.",
  network: "Requests are not signed: anything sent from these networks is accepted.",
};

function Facts({ template: { trust, retries, docsUrl } }: { template: SourceTemplate }) {
  return (
    <div className="flex flex-col gap-1 text-13 text-muted">
      <p>{PROVES[trust]}</p>
      <p>If a request fails: {retries}</p>
      {docsUrl === null ? null : (
        <p>
          <a href={docsUrl} target="_blank" rel="noreferrer" className="text-accent-text underline underline-offset-2">
            The sender's documentation
          </a>
        </p>
      )}
    </div>
  );
}
