import { useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Field } from "#components/ui/forms/field";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import type { RecordSettings } from "#lib/contracts/sources/record-settings";
import type { SourceFormProps } from "./source-dialog.tsx";

const CHOICES = [
  { value: "none", label: "None", hint: "its events are kept, shown and forwarded" },
  { value: "generic", label: "One kind of record", hint: "built from each event that contains its ID" },
];

const FIELDS = [
  { name: "kind", label: "Kind", hint: "Name of one record, such as customer.", required: true },
  { name: "id", label: "Path of the ID", hint: "In the event's data, such as object.customer.", required: true },
  { name: "state", label: "Path of the state", hint: "Optional, such as object.status.", required: false },
  { name: "title", label: "Path of the title", hint: "Optional, such as object.email. Without one the ID names it.", required: false },
] as const;

const NOTHING = { kind: "", id: "", state: "", title: "" };

type RecordsFormProps = SourceFormProps & { record: RecordSettings | null };

export function RecordsForm({ record, error, pending, onSubmit, onCancel }: RecordsFormProps) {
  const [records, setRecords] = useState<string>(record === null ? "none" : "generic");
  const [values, setValues] = useState({ ...NOTHING, ...record });
  const { kind, id, state, title } = values;
  function submit(event: React.FormEvent) {
    event.preventDefault();
    if (records === "none") return onSubmit({ records: "none" });
    onSubmit({ records: "generic", record: { kind, id, ...(state !== "" && { state }), ...(title !== "" && { title }) } });
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      {error ? <ProblemNotice announce what="Couldn't change the records" why={error.message} /> : null}
      <Field label="Its events become" hint="A change rebuilds the workspace's records from the log.">
        <Select options={CHOICES} value={records} onValueChange={setRecords} />
      </Field>
      {records === "none"
        ? null
        : FIELDS.map(({ name, label, hint, required }) => (
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
      <div className="flex justify-end gap-2">
        <Button disabled={pending} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" loading={pending}>
          Save
        </Button>
      </div>
    </form>
  );
}
