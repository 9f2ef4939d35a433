import { useRef, useState } from "react";
import { Field } from "#components/ui/forms/field";
import { Form, FormButtons } from "#components/ui/forms/form";
import { Button } from "#components/ui/primitives/button";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { useSourceTemplates, useTryReading } from "#lib/client/queries/sources/sources";
import type { EventReading } from "#lib/contracts/sources/scheme-settings";
import type { Source } from "#lib/contracts/sources/sources";
import { ReadingTrial } from "./reading-trial.tsx";
import { SchemeFields, schemeOfForm } from "./scheme-fields.tsx";
import type { SourceFormProps } from "./source-dialog.tsx";

type EditSourceFormProps = SourceFormProps & { source: Source };

export function EditSourceForm({ source, error, pending, onSubmit, onCancel }: EditSourceFormProps) {
  const { template, sender, scheme, keepLate } = source;
  const [own, setOwn] = useState(source.reading !== null);
  const form = useRef<HTMLDivElement>(null);
  const trial = useTryReading(source.id);
  const said = useSourceTemplates(true).data?.find(({ name }) => name === template)?.reading ?? null;
  const readingOf = (fields: FormData) => (own ? readingOfForm(fields) : null);
  function submit(fields: FormData) {
    const settings = schemeOfForm(template, fields, scheme);
    onSubmit({
      reading: readingOf(fields),
      ...(settings && { scheme: settings }),
      ...(keepLate !== null && { keepLate: fields.get("keepLate") !== null }),
    });
  }
  function tryIt() {
    const element = form.current?.closest("form");
    if (element?.reportValidity()) trial.mutate(readingOf(new FormData(element)));
  }
  return (
    <Form failed="Couldn't save the source" error={error} onSubmit={submit}>
      <div ref={form} className="flex flex-col gap-4">
        <SchemeFields template={template} settings={scheme} />
        {keepLate === null ? null : (
          <Checkbox name="keepLate" defaultChecked={keepLate}>
            Keep requests that arrive after their time limit, marked late
          </Checkbox>
        )}
        <Field label="An event's parts stand" hint="Stored events keep their ID, type and time.">
          <Select
            options={[
              { value: "said", label: template === "hmac" || template === "token" ? "At the usual places" : `As ${sender} sends them` },
              { value: "own", label: "At other places" },
            ]}
            value={own ? "own" : "said"}
            onValueChange={(value) => setOwn(value === "own")}
          />
        </Field>
        {own ? <ReadingFields reading={source.reading ?? said} /> : null}
        <ReadingTrial trial={trial} />
      </div>
      <FormButtons submitLabel="Save" pending={pending} onCancel={onCancel}>
        <Button loading={trial.isPending} onClick={tryIt}>
          Try it on received requests
        </Button>
      </FormButtons>
    </Form>
  );
}

const PLACES = [
  {
    name: "id",
    label: "Event ID",
    hint: "If empty, requests with equal bodies are one event. receipt:id gives each request a new ID, so duplicates are not found.",
  },
  {
    name: "type",
    label: "Event type",
    hint: "Such as event.name, header:x-event or {header:x-event}.{action}. text:order is always “order”.",
  },
  { name: "created", label: "Event time", hint: "Left empty: the time of receipt." },
  { name: "data", label: "Data", hint: "Left empty: the whole body." },
  {
    name: "items",
    label: "List of events",
    hint: "If a request contains several events: the path of the list ($ if the body is the list).",
  },
] as const;

function ReadingFields({ reading }: { reading: EventReading | null }) {
  const written = (name: (typeof PLACES)[number]["name"]) => [reading?.[name] ?? []].flat().join(", ");
  return (
    <>
      <p className="text-13 text-muted">
        A place is a path such as event.id, header:name or query:name. Several are separated by commas; the first that has a value is used.
      </p>
      {PLACES.map(({ name, label, hint }) => (
        <Field key={name} name={`reading.${name}`} label={label} hint={hint} optional={name !== "type"}>
          <Input
            name={name}
            defaultValue={written(name)}
            required={name === "type"}
            maxLength={1000}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
          />
        </Field>
      ))}
    </>
  );
}

function readingOfForm(form: FormData): EventReading {
  const places = (name: string) =>
    String(form.get(name) ?? "")
      .split(",")
      .map((place) => place.trim())
      .filter(Boolean);
  const [id, type, created, data, items] = ["id", "type", "created", "data", "items"].map(places);
  return {
    type: type ?? [],
    ...(id?.length && { id }),
    ...(created?.length && { created }),
    ...(data?.[0] !== undefined && { data: data[0] }),
    ...(items?.[0] !== undefined && { items: items[0] }),
  };
}
