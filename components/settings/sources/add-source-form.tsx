"use client";

import { useState } from "react";
import { Field } from "#components/ui/forms/field";
import { Form, FormButtons } from "#components/ui/forms/form";
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

export function AddSourceForm({ templates, error, pending, onSubmit, onCancel }: AddSourceFormProps) {
  const [chosen, setChosen] = useState<SourceTemplateName>("stripe");
  const [name, setName] = useState<string | null>(null);
  const template = templates.find((one) => one.name === chosen);
  function submit(form: FormData) {
    const secret = String(form.get("secret") ?? "");
    const scheme = schemeOfForm(chosen, form);
    onSubmit({ name: name ?? chosen, template: chosen, ...(secret !== "" && { secret }), ...(scheme && { scheme }) });
  }
  return (
    <Form failed="Couldn't add the source" error={error} onSubmit={submit}>
      <Field name="template" label="Sender">
        <Select
          options={[...templates.map(({ name: value, title }) => ({ value, label: title })), UNKNOWN]}
          value={chosen}
          onValueChange={(value) => setChosen(value as SourceTemplateName)}
        />
      </Field>
      <Field name="name" label="Name" hint="The end of the URL: /webhooks/name. Lowercase letters, digits and dashes.">
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
        <Field name="secret" label="Secret" hint={secretHintOf(template)}>
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
      {template ? <Facts template={template} /> : <p className="text-13 text-muted">{LEARNING}</p>}
      <FormButtons submitLabel="Add source" pending={pending} onCancel={onCancel} />
    </Form>
  );
}

const UNKNOWN = { value: "unknown", label: "I don't know" };
const LEARNING =
  "For 10 minutes the source keeps incoming requests in Quarantine. Then paste the secret: it is tried with every known scheme to find the sender.";

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
