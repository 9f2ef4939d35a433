"use client";

import { CalendarDays } from "lucide-react";
import { useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/forms/field";
import { Panel, PanelBody, PanelHeader } from "#components/ui/layout/panel";
import { Button } from "#components/ui/primitives/button";
import { Select } from "#components/ui/primitives/select";
import { useGenerateTraffic } from "#lib/client/queries/sandbox";
import { formatNumber } from "#lib/contracts/counts/format-count";

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
  function generate() {
    generating.mutate(
      { documents: Number(documents), days: Number(days) },
      {
        onSuccess: ({ queued, seed }) =>
          toast.success(`Sending ${formatNumber(queued)} webhooks`, { description: `Seed ${seed} generates the same traffic again.` }),
        onError: (error) => toast.error("Couldn't generate traffic", { description: error.message }),
      },
    );
  }
  return (
    <Panel>
      <PanelHeader title="Generate traffic" />
      <PanelBody className="flex flex-col gap-4">
        <div className="grid grid-cols-2 gap-3">
          <Field label="Documents">
            <Select options={DOCUMENTS} value={documents} onValueChange={setDocuments} />
          </Field>
          <Field label="Created over">
            <Select options={DAYS} value={days} onValueChange={setDays} />
          </Field>
        </div>
        <Button icon={<CalendarDays aria-hidden />} loading={generating.isPending} onClick={generate} className="self-start">
          Generate {formatNumber(Number(documents))} documents
        </Button>
      </PanelBody>
    </Panel>
  );
}
