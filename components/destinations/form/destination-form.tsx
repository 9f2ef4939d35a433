"use client";

import { useState } from "react";
import { Field } from "#components/ui/forms/field";
import { Form, FormButtons } from "#components/ui/forms/form";
import { OwnSecretField } from "#components/ui/forms/own-secret-field";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { enterAgainWords, leadsElsewhere } from "#lib/contracts/forwarding/bound-secret";
import type { CreateDestinationBody, Destination, DestinationMode } from "#lib/contracts/forwarding/destinations";
import { writeJson } from "#lib/contracts/json/exact-json";
import { MODES } from "../destination-labels.tsx";
import { EventSelection, type Selection } from "./event-selection.tsx";
import { readFilterText } from "./filter-text.tsx";

type DestinationFormProps = {
  destination: Destination | null;
  types: string[];
  sources: string[];
  error: Error | null;
  pending: boolean;
  submitLabel: string;
  /** `secret`: entered again, because the URL leads to another host. */
  onSubmit: (body: CreateDestinationBody & { secret?: string }) => void;
  onCancel: () => void;
};

const MODE_OPTIONS = Object.entries(MODES).map(([value, words]) => ({ value, ...words }));
const DEFAULT_CONCURRENCY = 10;

export function DestinationForm({ destination, types, sources, error, pending, submitLabel, onSubmit, onCancel }: DestinationFormProps) {
  const [mode, setMode] = useState<DestinationMode>(destination?.mode ?? "signed");
  const [url, setUrl] = useState(destination?.url ?? "");
  const moves = destination !== null && mode !== "pass_through" && url.trim() !== "" && leadsElsewhere(destination.url, url);
  const [ordered, setOrdered] = useState(destination?.ordered ?? false);
  const [selection, setSelection] = useState<Selection>({
    types: destination?.types ?? [],
    sources: destination?.sources ?? [],
    filterText: destination?.filter ? writeJson(destination.filter, 2) : "",
  });
  const filter = readFilterText(selection.filterText);
  function submit(fields: FormData) {
    if (!filter.ok) return;
    const rate = String(fields.get("rate") ?? "");
    onSubmit({
      name: String(fields.get("name")).trim(),
      url: url.trim(),
      types: selection.types,
      sources: mode === "re_sign" && sources.length === 1 ? sources : selection.sources,
      filter: filter.value,
      mode,
      ordered,
      rate: rate === "" ? null : Number(rate),
      concurrency: Number(fields.get("concurrency")),
      ...(moves && { secret: String(fields.get("secret")).trim() }),
    });
  }
  return (
    <Form failed="Couldn't save the destination" error={error} onSubmit={submit}>
      <Field name="name" label="Name" hint="The application that receives the events.">
        <Input name="name" required maxLength={80} defaultValue={destination?.name} autoFocus={destination === null} />
      </Field>
      <Field name="url" label="URL" hint="An https:// URL. Private targets need FORWARD_ALLOW.">
        <Input
          name="url"
          required
          maxLength={2000}
          inputMode="url"
          className="font-mono"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          placeholder="https://app.example.com/webhooks"
        />
      </Field>
      {moves ? <OwnSecretField hint={enterAgainWords("signing secret")} /> : null}
      <EventSelection types={types} sources={sources} selection={selection} filter={filter} onChange={setSelection} />
      <Field
        name="mode"
        label="Signature"
        hint={
          mode === "re_sign"
            ? "Choose the sources above. Your handler verifies with this destination's secret in place of the sender's."
            : undefined
        }
      >
        <Select options={MODE_OPTIONS} value={mode} onValueChange={(value) => setMode(value as DestinationMode)} />
      </Field>
      <Checkbox checked={ordered} onCheckedChange={setOrdered}>
        Keep the order of each document, task and run. One that fails holds back only its own later events.
      </Checkbox>
      <div className="grid grid-cols-2 gap-4">
        <Field name="concurrency" label="Requests at once">
          <Input
            name="concurrency"
            type="number"
            required
            min={1}
            max={100}
            defaultValue={destination?.concurrency ?? DEFAULT_CONCURRENCY}
          />
        </Field>
        <Field name="rate" label="Requests a second" optional>
          <Input name="rate" type="number" min={1} max={10_000} defaultValue={destination?.rate ?? ""} placeholder="No limit" />
        </Field>
      </div>
      <FormButtons submitLabel={submitLabel} pending={pending} disabled={!filter.ok} onCancel={onCancel} />
    </Form>
  );
}
