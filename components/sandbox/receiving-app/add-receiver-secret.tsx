"use client";

import { KeyRound } from "lucide-react";
import { useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/forms/field";
import { Panel, PanelBody, PanelHeader } from "#components/ui/layout/panel";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { useAddReceiverSecret } from "#lib/client/queries/forwarding/receiving-app";

export function AddReceiverSecret() {
  const [secret, setSecret] = useState("");
  const add = useAddReceiverSecret();
  const save = () =>
    add.mutate(secret.trim(), {
      onSuccess: () => {
        setSecret("");
        toast.success("The receiving app verifies with this secret too");
      },
      onError: (error) => toast.error("Couldn't add the secret", { description: error.message }),
    });
  return (
    <Panel>
      <PanelHeader title="Signing secrets" />
      <PanelBody className="flex flex-col gap-4">
        <Field label="Also verify with" hint="After rotating a destination's secret, paste the new one here. The newest 5 are used.">
          <Input
            type="password"
            autoComplete="off"
            placeholder="whsec_…"
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
          />
        </Field>
        <Button
          icon={<KeyRound aria-hidden />}
          loading={add.isPending}
          disabled={!secret.trim().startsWith("whsec_")}
          onClick={save}
          className="self-start"
        >
          Add secret
        </Button>
      </PanelBody>
    </Panel>
  );
}
