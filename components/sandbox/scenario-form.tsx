"use client";

import { Play } from "lucide-react";
import { useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/forms/field";
import { Panel, PanelBody, PanelHeader } from "#components/ui/layout/panel";
import { Button } from "#components/ui/primitives/button";
import { Select } from "#components/ui/primitives/select";
import { Switch } from "#components/ui/primitives/switch";
import { useRunScenario } from "#lib/client/queries/sandbox";
import { countWords } from "#lib/contracts/counts/format-count";
import { type SandboxScenario, sandboxScenario } from "#lib/contracts/sandbox";
import { SCENARIO_LABELS } from "./sandbox-labels.tsx";

const SCENARIOS = sandboxScenario.options.map((value) => ({ value, ...SCENARIO_LABELS[value] }));
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
  function run() {
    running.mutate(
      { scenario, pace: Number(pace), shuffled },
      {
        onSuccess: ({ queued }) => toast.success(`Scenario started: ${countWords(queued, "webhook")}`),
        onError: (error) => toast.error("Couldn't start the scenario", { description: error.message }),
      },
    );
  }
  return (
    <Panel>
      <PanelHeader title="Run a scenario" />
      <PanelBody className="flex flex-col gap-4">
        <Field label="Scenario" hint={SCENARIO_LABELS[scenario].hint}>
          <Select options={SCENARIOS} value={scenario} onValueChange={(value) => setScenario(sandboxScenario.parse(value))} />
        </Field>
        <Field label="Pace">
          <Select options={PACES} value={pace} onValueChange={setPace} />
        </Field>
        <Switch checked={shuffled} onCheckedChange={setShuffled}>
          Send events out of order
        </Switch>
        <Button variant="primary" icon={<Play aria-hidden />} loading={running.isPending} onClick={run} className="self-start">
          Run scenario
        </Button>
      </PanelBody>
    </Panel>
  );
}
