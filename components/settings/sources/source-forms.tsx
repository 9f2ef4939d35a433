import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ResourceId } from "#components/records/resource-id";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Field, Form, FormButtons, Textarea } from "#components/ui/form";
import { Button } from "#components/ui/primitives/button";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { RelativeTime } from "#components/ui/relative-time";
import { sourceFieldsQuery } from "#lib/client/queries/event-fields";
import { useSourceTemplates, useTryReading } from "#lib/client/queries/sources";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { PreviewedRequest, ReadingPreview } from "#lib/contracts/sources/reading-preview";
import type { EventReading } from "#lib/contracts/sources/scheme-settings";
import type { Source } from "#lib/contracts/sources/sources";
import { SchemeFields, schemeOfForm } from "./scheme-fields.tsx";
import type { SourceFormProps } from "./source-dialog.tsx";

type EditSourceFormProps = SourceFormProps & { source: Source };

export function EditSourceForm({ source, error, pending, onSubmit, onCancel }: EditSourceFormProps) {
  const { template, sender, scheme, keepLate } = source;
  const [own, setOwn] = useState(source.reading !== null);
  const form = useRef<HTMLDivElement>(null);
  const trial = useTryReading(source.id);
  const known = useSourceTemplates(true).data?.find(({ name }) => name === template);
  const said = known?.reading ?? null;
  const readingOf = (fields: FormData) => (own ? readingOfForm(fields) : null);
  function submit(fields: FormData) {
    const settings = schemeOfForm(known?.takes ?? template, fields, scheme);
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
        <SchemeFields key={known?.takes} template={template} known={known} settings={scheme} />
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
        {own ? <ReadingFields source={source.name} reading={source.reading ?? said} said={said} /> : null}
        <ReadingTrial trial={trial} />
      </div>
      <FormButtons submitLabel="Save source" pending={pending} onCancel={onCancel}>
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

type ReadingFieldsProps = { source: string; reading: EventReading | null; said: EventReading | null };

function ReadingFields({ source, reading, said }: ReadingFieldsProps) {
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
      <AboutField source={source} reading={reading} said={said} />
    </>
  );
}

const LINES = /\r?\n/;
/** Most fields of recent events that are offered. */
const MAX_OFFERED = 50;

/** The events' data, where the fields of recent events stand, is a part of the body. */
const placeOf = (path: string, { data }: Partial<EventReading>) => path.replace(/^data\./, data === undefined ? "" : `${data}.`);

function AboutField({ source, reading, said }: ReadingFieldsProps) {
  const { data = [] } = useQuery(sourceFieldsQuery(source));
  const [text, setText] = useState((reading?.about ?? said?.about ?? []).join("\n"));
  const fields = data.filter(({ inList }) => !inList).slice(0, MAX_OFFERED);
  const places = fields.map(({ path }) => placeOf(path, reading ?? {}));
  return (
    <>
      <Field
        name="reading.about"
        label="What it is about"
        hint="Shown in the event's row: text with paths of its body in braces, such as {order.number} {customer.name}. Of several lines the first whose places all have a value is used."
        optional
      >
        <Textarea
          name="about"
          rows={3}
          value={text}
          onChange={({ target }) => setText(target.value)}
          maxLength={2400}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
        />
      </Field>
      {places.length === 0 ? null : (
        <Select
          label="Add a field of recent events"
          placeholder="Add a field of recent events"
          options={places.map((place) => ({ value: place, label: place }))}
          value=""
          onValueChange={(place) => setText((before) => `${before}${/\S$/.test(before) ? " " : ""}{${place}}`)}
        />
      )}
    </>
  );
}

function readingOfForm(form: FormData): EventReading {
  const places = (name: string) =>
    String(form.get(name) ?? "")
      .split(",")
      .map((place) => place.trim())
      .filter(Boolean);
  const about = String(form.get("about") ?? "")
    .split(LINES)
    .map((line) => line.trim())
    .filter(Boolean);
  const [id, type, created, data, items] = ["id", "type", "created", "data", "items"].map(places);
  return {
    type: type ?? [],
    ...(id?.length && { id }),
    ...(created?.length && { created }),
    ...(data?.[0] !== undefined && { data: data[0] }),
    ...(items?.[0] !== undefined && { items: items[0] }),
    ...(about.length > 0 && { about }),
  };
}

function ReadingTrial({ trial: { data, error } }: { trial: ReturnType<typeof useTryReading> }) {
  if (error) return <ProblemNotice announce what="Couldn't try it" why={error.message} />;
  if (!data) return null;
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="text-13">
        {summaryOf(data)}
      </p>
      <ul className="flex max-h-64 flex-col divide-y divide-line overflow-y-auto rounded-md border border-line empty:hidden" tabIndex={-1}>
        {data.requests.map((request) => (
          <Tried key={`${request.kind} ${request.id}`} request={request} />
        ))}
      </ul>
    </div>
  );
}

function summaryOf({ requests, changed, failing }: ReadingPreview): string {
  if (requests.length === 0) return "Nothing to try it on yet: no event and no verified request in quarantine.";
  const read = requests.length - failing;
  return `${formatNumber(read)} of ${countWords(requests.length, "recent request")} would be ${read === 1 ? "an event" : "events"}; ${formatNumber(changed)} would be read differently.`;
}

function Tried({ request: { kind, id, receivedAt, after, events, failure } }: { request: PreviewedRequest }) {
  const href = kind === "event" ? `/events/${encodeURIComponent(id)}` : `/quarantine/${encodeURIComponent(id)}`;
  return (
    <li className="flex flex-col gap-0.5 px-3 py-2 text-12">
      <span className="flex flex-wrap gap-x-2 text-muted">
        {kind === "quarantined" ? "Quarantined" : "Stored"}
        <ResourceId id={id} href={href} />
        <RelativeTime at={receivedAt} />
      </span>
      {after === null ? (
        <span className="text-failed">{failure}</span>
      ) : (
        <span className="break-all font-mono">
          {after.type} · {after.id}
          {events > 1 ? ` and ${formatNumber(events - 1)} more` : ""}
        </span>
      )}
    </li>
  );
}
