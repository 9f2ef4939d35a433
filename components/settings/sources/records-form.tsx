import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Field, Form, FormButtons, Textarea } from "#components/ui/form";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { sourceFieldsQuery } from "#lib/client/queries/event-fields";
import { useSourceTemplates } from "#lib/client/queries/sources";
import type { RecordSettings } from "#lib/contracts/sources/record-settings";
import type { Source } from "#lib/contracts/sources/sources";
import type { SourceFormProps } from "./source-dialog.tsx";

const NONE = { value: "none", label: "None", hint: "its events are kept, shown and forwarded" };
const DOCUMENTS = { value: "documents", label: "Documents", hint: "with the states of your choice" };
const GENERIC = { value: "generic", label: "One kind of record", hint: "built from each event that contains its ID" };
const KNOWN = "known";

const FIELDS = [
  { name: "kind", label: "Kind", hint: "Name of one record, such as customer.", required: true },
  { name: "id", label: "Path of the ID", hint: "In the event's data, such as object.customer.", required: true },
  { name: "state", label: "Path of the state", hint: "Such as object.status.", required: false },
  { name: "title", label: "Path of the title", hint: "Such as object.email. Without one the ID names it.", required: false },
] as const;

const NOTHING = { kind: "", id: "", state: "", title: "" };

type RecordsFormProps = SourceFormProps & { source: Pick<Source, "name" | "template" | "sender" | "records" | "record"> };

export function RecordsForm({ source, error, pending, onSubmit, onCancel }: RecordsFormProps) {
  const { template, sender, records, record } = source;
  const said = useSourceTemplates(true).data?.find(({ name }) => name === template);
  const [made, setMade] = useState<string>(record === null && records !== "none" ? KNOWN : records);
  const [values, setValues] = useState({ ...NOTHING, ...record });
  const [states, setStates] = useState(linesOf(record?.states));
  const choices = [
    ...(said?.record || made === KNOWN
      ? [{ value: KNOWN, label: `As ${sender} means them`, ...(said?.record && { hint: `${said.record.kind}s` }) }]
      : []),
    NONE,
    DOCUMENTS,
    GENERIC,
  ];
  const offered = useId();
  const { data: recent = [] } = useQuery(sourceFieldsQuery(source.name));
  const paths = recent.filter(({ inList }) => !inList).map(({ path, values: seen }) => ({ path: path.replace(/^data\./, ""), seen }));
  const seen = paths.find(({ path }) => path === values.state?.trim())?.seen ?? [];
  function submit() {
    if (made === "none") return onSubmit({ records: "none" });
    if (made === KNOWN && said) return onSubmit({ records: said.records, record: null });
    const { kind, state, title, states: _, ...others } = values;
    const words = statesOf(states);
    onSubmit({
      records: made as Source["records"],
      record: {
        ...others,
        kind: made === "documents" ? "document" : kind,
        ...(state !== "" && { state }),
        ...(title !== "" && { title }),
        ...(Object.keys(words).length > 0 && { states: words }),
      },
    });
  }
  const fields = made === "none" || made === KNOWN ? [] : FIELDS.filter(({ name }) => name !== "kind" || made === "generic");
  return (
    <Form failed="Couldn't change the records" error={error} onSubmit={submit}>
      <Field label="Its events become" hint="A change rebuilds the workspace's records from the log.">
        <Select options={choices} value={made} onValueChange={setMade} />
      </Field>
      <datalist id={offered}>
        {paths.map(({ path, seen }) => (
          <option key={path} value={path} label={seen.join(", ")} />
        ))}
      </datalist>
      {fields.map(({ name, label, hint, required }) => (
        <Field key={name} name={`record.${name}`} label={label} hint={hint} optional={!required}>
          <Input
            className="font-mono"
            {...(name !== "kind" && { list: offered })}
            autoComplete="off"
            spellCheck={false}
            required={required}
            value={values[name]}
            onChange={(event) => setValues({ ...values, [name]: event.target.value })}
          />
        </Field>
      ))}
      {fields.length === 0 ? null : (
        <Field
          name="record.states"
          label="The sender's words for states"
          hint={`One a line, such as ${seen[0] ?? "envelope-completed"} = completed. ${
            seen.length > 0 ? `Recent events have: ${seen.join(", ")}.` : "Without a path of the state these are event types."
          }`}
          optional
        >
          <Textarea rows={4} className="font-mono" spellCheck={false} value={states} onChange={(event) => setStates(event.target.value)} />
        </Field>
      )}
      <FormButtons submitLabel="Save records" pending={pending} disabled={made === KNOWN && !said} onCancel={onCancel} />
    </Form>
  );
}

const linesOf = (states: RecordSettings["states"] = {}): string =>
  Object.entries(states)
    .map(([word, state]) => `${word} = ${state}`)
    .join("\n");

/** Splits at the last `=`: a sender's word may contain one. */
const statesOf = (lines: string): Record<string, string> =>
  Object.fromEntries(
    lines.split("\n").flatMap((line) => {
      const [, word = "", state = ""] = /^(.*)=(.*)$/.exec(line) ?? [];
      return word.trim() === "" ? [] : [[word.trim(), state.trim()]];
    }),
  );
