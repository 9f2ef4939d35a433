import { useState } from "react";
import { TypeChoices } from "#components/records/type-choices";
import { Field, Form, FormButtons, Textarea } from "#components/ui/form";
import { Button } from "#components/ui/primitives/button";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { RelativeTime } from "#components/ui/relative-time";
import { OwnSecretField } from "#components/ui/secrets";
import { usePreviewFilter } from "#lib/client/queries/destinations";
import { parseExact, writeJson } from "#lib/contracts/exact-json";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type {
  CreateDestinationBody,
  Destination,
  DestinationMode,
  FilterPreview,
  FilterPreviewBody,
} from "#lib/contracts/forwarding/destinations";
import { enterAgainWords, leadsElsewhere } from "#lib/contracts/forwarding/entered-again";
import { type EventFilter, findFilterProblem } from "#lib/contracts/forwarding/event-filter";
import type { GivenHeader } from "#lib/contracts/forwarding/own-headers";
import { MODES } from "./destination-labels.tsx";
import { type HeaderRow, OwnHeadersField, rowsOf, sentRows } from "./own-headers-field.tsx";

type DestinationFormProps = {
  destination: Destination | null;
  types: string[];
  sources: string[];
  error: Error | null;
  pending: boolean;
  submitLabel: string;
  /** `secret`: entered again, because the URL leads to another host. */
  onSubmit: (body: Omit<CreateDestinationBody, "headers"> & { headers?: GivenHeader[]; secret?: string }) => void;
  onCancel: () => void;
};

const MODE_OPTIONS = Object.entries(MODES).map(([value, words]) => ({ value, ...words }));
const DEFAULT_CONCURRENCY = 10;

export function DestinationForm({ destination, types, sources, error, pending, submitLabel, onSubmit, onCancel }: DestinationFormProps) {
  const [mode, setMode] = useState<DestinationMode>(destination?.mode ?? "signed");
  const [url, setUrl] = useState(destination?.url ?? "");
  const leadsAway = destination !== null && url.trim() !== "" && leadsElsewhere(destination.url, url);
  const moves = leadsAway && mode !== "pass_through";
  const [headers, setHeaders] = useState<HeaderRow[]>(() => rowsOf(destination));
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
      ...sentRows(destination, headers, leadsAway),
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
      <OwnHeadersField rows={headers} leadsAway={leadsAway} onChange={setHeaders} />
      <Checkbox checked={ordered} onCheckedChange={setOrdered}>
        Keep the order of each document, task and run. One that fails holds back only its own later events.
      </Checkbox>
      <Limits destination={destination} />
      <FormButtons submitLabel={submitLabel} pending={pending} disabled={!filter.ok} onCancel={onCancel} />
    </Form>
  );
}

function Limits({ destination }: Pick<DestinationFormProps, "destination">) {
  return (
    <div className="grid grid-cols-2 gap-4">
      <Field name="concurrency" label="Requests at once">
        <Input name="concurrency" type="number" required min={1} max={100} defaultValue={destination?.concurrency ?? DEFAULT_CONCURRENCY} />
      </Field>
      <Field name="rate" label="Requests a second" optional>
        <Input name="rate" type="number" min={1} max={10_000} defaultValue={destination?.rate ?? ""} placeholder="No limit" />
      </Field>
    </div>
  );
}

type Selection = { types: string[]; sources: string[]; filterText: string };

type EventSelectionProps = {
  types: string[];
  sources: string[];
  selection: Selection;
  filter: FilterText;
  onChange: (selection: Selection) => void;
};

const EXAMPLE = '{ "data": { "status": { "$in": ["completed", "failed"] } } }';

function EventSelection({ types, sources, selection, filter, onChange }: EventSelectionProps) {
  return (
    <>
      <TypeChoices known={types} chosen={selection.types} onChange={(chosen) => onChange({ ...selection, types: chosen })} />
      {sources.length > 1 ? (
        <Choices
          legend="Sources"
          none="All sources"
          options={sources}
          chosen={selection.sources}
          onChange={(chosen) => onChange({ ...selection, sources: chosen })}
        />
      ) : null}
      <Field
        name="filter"
        label="Payload filter"
        optional
        error={filter.ok ? undefined : filter.why}
        hint={
          <>
            JSON. For example <code className="break-all">{EXAMPLE}</code>
          </>
        }
      >
        <Textarea
          rows={3}
          spellCheck={false}
          className="font-mono text-12"
          value={selection.filterText}
          onChange={(event) => onChange({ ...selection, filterText: event.target.value })}
        />
      </Field>
      {filter.ok ? <FilterPreviewPanel body={{ types: selection.types, sources: selection.sources, filter: filter.value }} /> : null}
    </>
  );
}

type ChoicesProps = { legend: string; none: string; options: string[]; chosen: string[]; onChange: (chosen: string[]) => void };

function Choices({ legend, none, options, chosen, onChange }: ChoicesProps) {
  const toggle = (option: string, on: boolean) => onChange(on ? [...chosen, option] : chosen.filter((each) => each !== option));
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-13 font-medium">{legend}</legend>
      <div className="grid max-h-32 grid-cols-1 gap-x-4 gap-y-1.5 overflow-y-auto rounded-md border border-line p-3 min-[480px]:grid-cols-2">
        {[...new Set([...options, ...chosen])].map((option) => (
          <Checkbox key={option} checked={chosen.includes(option)} onCheckedChange={(on) => toggle(option, on)}>
            <span className="break-all font-mono text-12">{option}</span>
          </Checkbox>
        ))}
      </div>
      <p className="text-12 text-muted">{chosen.length === 0 ? none : `${chosen.length} chosen`}</p>
    </fieldset>
  );
}

type FilterText = { ok: true; value: EventFilter | null } | { ok: false; why: string };

function readFilterText(text: string): FilterText {
  if (text.trim() === "") return { ok: true, value: null };
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (error) {
    return { ok: false, why: `Not valid JSON: ${error instanceof Error ? error.message : "it can't be read"}` };
  }
  const problem = findFilterProblem(value);
  if (problem) return { ok: false, why: `${problem.path === "" ? "The filter" : problem.path} ${problem.message}` };
  return { ok: true, value: value as EventFilter };
}

function FilterPreviewPanel({ body }: { body: FilterPreviewBody }) {
  const preview = usePreviewFilter();
  // A preview is valid only for the settings that it was requested for: a change of them hides it.
  const isCurrent = JSON.stringify(preview.variables) === JSON.stringify(body);
  return (
    <div className="flex flex-col gap-2">
      <Button size="sm" className="self-start" loading={preview.isPending} onClick={() => preview.mutate(body)}>
        Preview with recent events
      </Button>
      {preview.error && isCurrent ? <p className="text-12 text-failed">{preview.error.message}</p> : null}
      {preview.data && isCurrent ? <Result preview={preview.data} /> : null}
    </div>
  );
}

function Result({ preview: { matching, tooCostly, of, cutShort, examples } }: { preview: FilterPreview }) {
  if (of === 0) return <p className="text-12 text-muted">There are no events yet to preview with.</p>;
  return (
    <div role="status" className="flex flex-col gap-2 rounded-md border border-line p-3">
      <p className="text-13">
        Matches <strong className="font-medium">{formatNumber(matching)}</strong> of the last {countWords(of, "event")}
      </p>
      {cutShort ? (
        <p className="text-12 text-muted">Fewer than 1,000 were checked: the events are large, or the filter makes many comparisons.</p>
      ) : null}
      {tooCostly > 0 ? (
        <p className="text-12 text-failed">
          Too costly for {formatNumber(tooCostly)}: these are not sent and are listed as exhausted. Simplify the filter, or use $in instead
          of $or.
        </p>
      ) : null}
      <div className="grid gap-3 min-[480px]:grid-cols-2">
        <Examples title="Would be sent" events={examples.matching} />
        <Examples title="Would not be sent" events={examples.other} />
      </div>
    </div>
  );
}

function Examples({ title, events }: { title: string; events: FilterPreview["examples"]["matching"] }) {
  return (
    <div className="min-w-0">
      <p className="text-12 text-muted">{title}</p>
      {events.length === 0 ? <p className="text-12 text-faint">None</p> : null}
      <ul>
        {events.map(({ id, type, receivedAt }) => (
          <li key={`${id} ${receivedAt}`} className="truncate text-12" title={id}>
            {type} <RelativeTime at={receivedAt} className="text-faint" />
          </li>
        ))}
      </ul>
    </div>
  );
}
