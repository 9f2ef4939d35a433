import { useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Field, Textarea } from "#components/ui/form";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";

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
  { name: "state", label: "Path of the state", hint: "Optional, such as object.status.", required: false },
  { name: "title", label: "Path of the title", hint: "Optional, such as object.email. Without one the ID names it.", required: false },
] as const;

const NOTHING = { kind: "", id: "", state: "", title: "" };

type RecordsFormProps = SourceFormProps & { source: Pick<Source, "template" | "sender" | "records" | "record"> };

export function RecordsForm({ source: { template, sender, records, record }, error, pending, onSubmit, onCancel }: RecordsFormProps) {
  const said = useSourceTemplates(true).data?.find(({ name }) => name === template);
  const [made, setMade] = useState<string>(record === null && records !== "none" ? KNOWN : records);
  const [values, setValues] = useState({ ...NOTHING, ...record });
  const [states, setStates] = useState(linesOf(record?.states));
  const choices = [
    ...(said?.record ? [{ value: KNOWN, label: `As ${sender} means them`, hint: `${said.record.kind}s` }] : []),
    NONE,
    DOCUMENTS,
    GENERIC,
  ];
  function submit(event: React.FormEvent) {
    event.preventDefault();
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
    <form className="flex flex-col gap-4" onSubmit={submit}>
      {error ? <ProblemNotice announce what="Couldn't change the records" why={error.message} /> : null}
      <Field label="Its events become" hint="A change rebuilds the workspace's records from the log.">
        <Select options={choices} value={made} onValueChange={setMade} />
      </Field>
      {fields.map(({ name, label, hint, required }) => (
        <Field key={name} label={label} hint={hint}>
          <Input
            className="font-mono"
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
          label="The sender's words for states"
          hint="One a line, such as envelope-completed = completed. Without a path of the state these are event types."
        >
          <Textarea rows={4} className="font-mono" spellCheck={false} value={states} onChange={(event) => setStates(event.target.value)} />
        </Field>
      )}
      <div className="flex justify-end gap-2">
        <Button disabled={pending} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" loading={pending}>
          Save records
        </Button>
      </div>
    </form>
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
