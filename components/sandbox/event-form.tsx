"use client";

import { Send } from "lucide-react";
import { useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/forms/field";
import { Textarea } from "#components/ui/forms/textarea";
import { Panel, PanelBody, PanelHeader } from "#components/ui/layout/panel";
import { Button } from "#components/ui/primitives/button";
import { Select } from "#components/ui/primitives/select";
import { useSendEvent } from "#lib/client/queries/sandbox";
import { countWords } from "#lib/contracts/counts/format-count";
import { isObject, parseExact } from "#lib/contracts/json/exact-json";

export type Sample = { type: string; title: string; data: Record<string, unknown> };

const pretty = (sample: Sample | undefined) => JSON.stringify(sample?.data ?? {}, null, 2);

export function EventForm({ samples }: { samples: Sample[] }) {
  const [type, setType] = useState("document.processed");
  const [text, setText] = useState(() => pretty(samples.find((sample) => sample.type === "document.processed")));
  const [problem, setProblem] = useState<string | null>(null);
  const sending = useSendEvent();
  function choose(next: string) {
    setType(next);
    setText(pretty(samples.find((sample) => sample.type === next)));
    setProblem(null);
  }
  function send() {
    const data = readObject(text);
    setProblem(typeof data === "string" ? data : null);
    if (typeof data === "string") return;
    sending.mutate(
      { type, data },
      {
        onSuccess: ({ queued }) => toast.success(`Sending ${countWords(queued, "webhook")}: ${type}`),
        onError: (error) => toast.error(`Couldn't send ${type}`, { description: error.message }),
      },
    );
  }
  return (
    <Panel>
      <PanelHeader title="Send one event" />
      <PanelBody className="flex flex-col gap-4">
        <Field label="Type">
          <Select
            options={samples.map((sample) => ({ value: sample.type, label: sample.type, hint: sample.title }))}
            value={type}
            onValueChange={choose}
          />
        </Field>
        <Field label="Data" hint="JSON. The envelope's ID and time are added automatically." error={problem}>
          <Textarea
            value={text}
            onChange={(event) => setText(event.target.value)}
            rows={11}
            spellCheck={false}
            className="font-mono text-12"
          />
        </Field>
        <Button icon={<Send aria-hidden />} loading={sending.isPending} onClick={send} className="self-start">
          Send {type}
        </Button>
      </PanelBody>
    </Panel>
  );
}

/** Returns the parsed JSON object, or a sentence that says why it isn't one. */
function readObject(text: string): Record<string, unknown> | string {
  try {
    const value = parseExact(text);
    if (isObject(value)) return value;
    return "Data must be a JSON object. Wrap it in { }.";
  } catch (error) {
    return `Invalid JSON: ${(error as Error).message}`;
  }
}
