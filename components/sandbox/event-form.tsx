"use client";

import { Send } from "lucide-react";
import { useState } from "react";
import { webhookCount } from "#components/sandbox/sandbox-words";
import { Button } from "#components/ui/button";
import { Field } from "#components/ui/field";
import { Panel, PanelBody, PanelHeader } from "#components/ui/panel";
import { Select } from "#components/ui/select";
import { Textarea } from "#components/ui/textarea";
import { toast } from "#components/ui/toast";
import { useSendEvent } from "#lib/client/sandbox";

export type Sample = { type: string; title: string; data: Record<string, unknown> };

const pretty = (sample: Sample | undefined) => JSON.stringify(sample?.data ?? {}, null, 2);

/** Sends one event of any type, with the data as edited. */
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
        onSuccess: ({ queued }) => toast.success(`Sending ${webhookCount(queued)}: ${type}`),
        onError: (error) => toast.error(`${type} was not sent`, { description: error.message }),
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
        <Field label="Data" hint="JSON. The envelope around it gets an id and a time of its own." error={problem}>
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

/** The object that the text is, or in words why it is none. */
function readObject(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    return "This is JSON, but not an object. Put it in { }.";
  } catch (error) {
    return `This is not JSON: ${(error as Error).message}`;
  }
}
