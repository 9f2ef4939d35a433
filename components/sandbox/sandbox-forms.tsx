"use client";

import { CalendarDays, KeyRound, Play, Send } from "lucide-react";
import { useState } from "react";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { Field, Textarea } from "#components/ui/form";
import { PanelBody } from "#components/ui/layout/section";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { Switch } from "#components/ui/primitives/switch";
import { useGenerateTraffic, useGiveSecret, useRunScenario, useSendEvent } from "#lib/client/queries/sandbox";
import { isObject, parseExact } from "#lib/contracts/exact-json";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { SandboxScenario } from "#lib/contracts/sandbox";
import { SCENARIO_LABELS } from "./sandbox-labels.tsx";
import { SandboxPart } from "./sandbox-part.tsx";

const SCENARIOS = Object.entries(SCENARIO_LABELS).map(([value, words]) => ({ value, ...words }));
const PACES = [
  { value: "0", label: "All at once" },
  { value: "700", label: "0.7 seconds apart" },
  { value: "2500", label: "2.5 seconds apart" },
];

export function ScenarioForm() {
  const [scenario, setScenario] = useState<SandboxScenario>("document_to_done");
  const [pace, setPace] = useState("700");
  const [shuffled, setShuffled] = useState(false);
  const running = useRunScenario();
  const run = () =>
    tellOutcome(
      running.mutateAsync({ scenario, pace: Number(pace), shuffled }),
      ({ queued }) => `Scenario started: ${countWords(queued, "webhook")}`,
      "Couldn't start the scenario",
    );
  return (
    <SandboxPart title="Run a scenario" open>
      <PanelBody className="flex flex-col gap-4">
        <Field label="Scenario" hint={SCENARIO_LABELS[scenario].hint}>
          <Select options={SCENARIOS} value={scenario} onValueChange={(value) => setScenario(value as SandboxScenario)} />
        </Field>
        <Field label="Pace">
          <Select options={PACES} value={pace} onValueChange={setPace} />
        </Field>
        <Switch checked={shuffled} onCheckedChange={setShuffled}>
          Send events out of order
        </Switch>
        <Button variant="primary" icon={<Play />} loading={running.isPending} onClick={run} className="self-start">
          Run scenario
        </Button>
      </PanelBody>
    </SandboxPart>
  );
}

type Sample = { type: string; title: string; data: Record<string, unknown> };

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
    tellOutcome(
      sending.mutateAsync({ type, data }),
      ({ queued }) => `Sending ${countWords(queued, "webhook")}: ${type}`,
      `Couldn't send ${type}`,
    );
  }
  return (
    <SandboxPart title="Send one event">
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
        <Button icon={<Send />} loading={sending.isPending} onClick={send} className="self-start">
          Send {type}
        </Button>
      </PanelBody>
    </SandboxPart>
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

const DOCUMENTS = [
  { value: "50", label: "50 documents", hint: "about 400 events" },
  { value: "500", label: "500 documents", hint: "about 4,000 events" },
  { value: "5000", label: "5,000 documents", hint: "about 40,000 events" },
];
const DAYS = [
  { value: "1", label: "1 day" },
  { value: "14", label: "14 days" },
  { value: "60", label: "60 days" },
];

export function TrafficForm() {
  const [documents, setDocuments] = useState("50");
  const [days, setDays] = useState("14");
  const generating = useGenerateTraffic();
  const generate = () =>
    tellOutcome(
      generating.mutateAsync({ documents: Number(documents), days: Number(days) }),
      ({ queued, seed }) =>
        toast.success(`Sending ${countWords(queued, "webhook")}`, { description: `Seed ${seed} generates the same traffic again.` }),
      "Couldn't generate traffic",
    );
  return (
    <SandboxPart title="Generate traffic">
      <PanelBody className="flex flex-col gap-4">
        <div className="grid grid-cols-2 gap-3">
          <Field label="Documents">
            <Select options={DOCUMENTS} value={documents} onValueChange={setDocuments} />
          </Field>
          <Field label="Created over">
            <Select options={DAYS} value={days} onValueChange={setDays} />
          </Field>
        </div>
        <Button icon={<CalendarDays />} loading={generating.isPending} onClick={generate} className="self-start">
          Generate {formatNumber(Number(documents))} documents
        </Button>
      </PanelBody>
    </SandboxPart>
  );
}

const MIN_LENGTH = 8;

export function SigningSecretForm() {
  const [secret, setSecret] = useState("");
  const saving = useGiveSecret();
  const save = () =>
    tellOutcome(
      saving.mutateAsync(secret.trim()),
      () => {
        setSecret("");
        return "The sandbox now signs with the new secret";
      },
      "Couldn't change the signing secret",
    );
  return (
    <SandboxPart title="Signing secret">
      <PanelBody className="flex flex-col gap-4">
        <Field
          label="Sign webhooks with"
          hint="After rotating the secret in Settings, paste the new one here, as you would on the platform."
        >
          <Input type="password" autoComplete="off" value={secret} onChange={(event) => setSecret(event.target.value)} />
        </Field>
        <Button
          icon={<KeyRound />}
          loading={saving.isPending}
          disabled={secret.trim().length < MIN_LENGTH}
          onClick={save}
          className="self-start"
        >
          Use this secret
        </Button>
      </PanelBody>
    </SandboxPart>
  );
}
