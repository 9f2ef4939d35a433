"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/forms/field";
import { TextLink } from "#components/ui/layout/text-link";
import { Button } from "#components/ui/primitives/button";
import { Select } from "#components/ui/primitives/select";
import { useCreateReceiverDestination } from "#lib/client/queries/forwarding/receiving-app";
import { destinationMode } from "#lib/contracts/forwarding/destinations";
import type { ReceivingApp } from "#lib/contracts/forwarding/receiving-app";

const MODES = [
  { value: "signed", label: "Signed", hint: "Standard Webhooks; the app gets the secret" },
  { value: "pass_through", label: "Pass-through", hint: "the platform's own signature" },
];

export function CreateReceiverDestination({ app }: { app: ReceivingApp }) {
  const [mode, setMode] = useState<string>("signed");
  const create = useCreateReceiverDestination(app);
  const submit = () =>
    create.mutate(destinationMode.parse(mode), {
      onSuccess: ({ name }) => toast.success(`Created ${name}`, { description: "Send an event from the sandbox to see it arrive." }),
      onError: (error) => toast.error("Couldn't create the destination", { description: error.message }),
    });
  return (
    <div className="flex flex-col gap-4">
      <Field label="Mode">
        <Select options={MODES} value={mode} onValueChange={setMode} />
      </Field>
      <Button variant="primary" icon={<Plus aria-hidden />} loading={create.isPending} onClick={submit} className="self-start">
        Create destination
      </Button>
      {create.data ? (
        <p className="text-13">
          Events are sent here from now on: <TextLink href={`/destinations/${create.data.id}`}>{create.data.name}</TextLink>
        </p>
      ) : null}
    </div>
  );
}
