"use client";

import { CalendarDays } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button";
import { formatNumber } from "#components/ui/count";
import { Field } from "#components/ui/field";
import { Panel, PanelBody, PanelHeader } from "#components/ui/panel";
import { Select } from "#components/ui/select";
import { toast } from "#components/ui/toast";
import { useTellBusyDays } from "#lib/client/sandbox";

const DOCUMENTS = [
  { value: "50", label: "50 documents", hint: "about 400 events" },
  { value: "500", label: "500 documents", hint: "about 4,000 events" },
  { value: "5000", label: "5,000 documents", hint: "about 40,000 events" },
];
const DAYS = [
  { value: "1", label: "one day" },
  { value: "14", label: "two weeks" },
  { value: "60", label: "60 days" },
];

/** Fills the log with days of work: most documents run through, some wait, some fail. */
export function BusyDaysForm() {
  const [documents, setDocuments] = useState("50");
  const [days, setDays] = useState("14");
  const telling = useTellBusyDays();
  function tell() {
    telling.mutate(
      { documents: Number(documents), days: Number(days) },
      {
        onSuccess: ({ queued, seed }) =>
          toast.success(`${formatNumber(queued)} webhooks are on their way`, { description: `Seed ${seed} tells the same days again.` }),
        onError: (error) => toast.error("Nothing was sent", { description: error.message }),
      },
    );
  }
  return (
    <Panel>
      <PanelHeader title="Busy days" />
      <PanelBody className="flex flex-col gap-4">
        <div className="grid grid-cols-2 gap-3">
          <Field label="How many">
            <Select options={DOCUMENTS} value={documents} onValueChange={setDocuments} />
          </Field>
          <Field label="Created over">
            <Select options={DAYS} value={days} onValueChange={setDays} />
          </Field>
        </div>
        <Button icon={<CalendarDays aria-hidden />} loading={telling.isPending} onClick={tell} className="self-start">
          Send {formatNumber(Number(documents))} documents
        </Button>
      </PanelBody>
    </Panel>
  );
}
