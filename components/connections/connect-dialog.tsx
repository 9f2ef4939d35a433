"use client";

import { Link2 } from "lucide-react";
import { useState } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { Field } from "#components/ui/forms/field";
import { Form, FormButtons } from "#components/ui/forms/form";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { useStartConnect } from "#lib/client/queries/connections";

export function ConnectDialog({ scopes, disabled = false }: { scopes: string[]; disabled?: boolean }) {
  const [open, setOpen] = useState(false);
  const start = useStartConnect();
  useCommands(disabled ? [] : [{ label: "Connect account", run: () => setOpen(true) }]);
  function submit(fields: FormData) {
    const name = String(fields.get("name")).trim();
    start.mutate(name === "" ? {} : { name });
  }
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Connect an account"
      description="The platform asks you to approve these permissions, then sends you back here."
      trigger={
        <Button variant="primary" icon={<Link2 aria-hidden />} disabled={disabled}>
          Connect an account
        </Button>
      }
    >
      <Form failed="Couldn't start connecting" error={start.error} onSubmit={submit}>
        <Field name="name" label="Name" hint="What your team calls this account, e.g. “Acme production”." optional>
          <Input name="name" maxLength={80} autoFocus />
        </Field>
        <div>
          <p className="text-13 font-medium">Permissions</p>
          <ul className="mt-1.5 flex flex-col gap-1 font-mono text-12 text-muted">
            {scopes.map((scope) => (
              <li key={scope}>{scope}</li>
            ))}
          </ul>
        </div>
        <FormButtons submitLabel="Continue to the platform" pending={start.isPending} onCancel={() => setOpen(false)} />
      </Form>
    </Dialog>
  );
}
