"use client";

import { useState } from "react";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/forms/field";
import { Panel, PanelBody, PanelHeader } from "#components/ui/layout/panel";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { useSetBehaviour } from "#lib/client/queries/forwarding/receiving-app";
import { type ReceiverBehaviour, receiverAnswer } from "#lib/contracts/forwarding/receiving-app";

const ANSWERS: { value: ReceiverBehaviour["answer"]; label: string; hint: string }[] = [
  { value: "ok", label: "Accept", hint: "200" },
  { value: "fail_every", label: "Fail every nth", hint: "others 200" },
  { value: "status", label: "Fail always", hint: "with one status" },
  { value: "gone", label: "Gone", hint: "410: the destination is suspended" },
  { value: "redirect", label: "Redirect", hint: "302: not followed" },
];
const DELAYS = [
  { value: "0", label: "At once" },
  { value: "1000", label: "After 1 second" },
  { value: "10000", label: "After 10 seconds" },
  { value: "20000", label: "After 20 seconds", hint: "longer than the timeout of 15" },
];

export function BehaviourForm({ behaviour }: { behaviour: ReceiverBehaviour }) {
  const [draft, setDraft] = useState(behaviour);
  const set = useSetBehaviour();
  const change = (changes: Partial<ReceiverBehaviour>) => setDraft({ ...draft, ...changes });
  const fails = draft.answer === "fail_every" || draft.answer === "status";
  const save = () => tellOutcome(set.mutateAsync(draft), () => toast.success("Receiving app's response saved"), "Couldn't save");
  return (
    <Panel>
      <PanelHeader title="Response" />
      <PanelBody className="flex flex-col gap-4">
        <Field label="Answer">
          <Select options={ANSWERS} value={draft.answer} onValueChange={(value) => change({ answer: receiverAnswer.parse(value) })} />
        </Field>
        {fails ? (
          <div className="grid grid-cols-2 gap-3">
            {draft.answer === "fail_every" ? (
              <NumberField label="Every" hint="2 to 100" value={draft.every} onChange={(every) => change({ every })} />
            ) : null}
            <NumberField label="Status" hint="400 to 599" value={draft.status} onChange={(status) => change({ status })} />
          </div>
        ) : null}
        <Field label="Delay">
          <Select options={DELAYS} value={String(draft.delayMs)} onValueChange={(value) => change({ delayMs: Number(value) })} />
        </Field>
        <Button loading={set.isPending} onClick={save} className="self-start">
          Save
        </Button>
      </PanelBody>
    </Panel>
  );
}

type NumberFieldProps = { label: string; hint: string; value: number; onChange: (value: number) => void };

function NumberField({ label, hint, value, onChange }: NumberFieldProps) {
  return (
    <Field label={label} hint={hint}>
      <Input type="number" value={String(value)} onChange={(event) => onChange(Number(event.target.value))} />
    </Field>
  );
}
