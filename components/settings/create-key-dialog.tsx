"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { SecretOnce, secretCloses } from "#components/ui/feedback/secret-once";
import { Field } from "#components/ui/forms/field";
import { Form, FormButtons } from "#components/ui/forms/form";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import { useCreateApiKey } from "#lib/client/queries/auth/settings";
import type { Role } from "#lib/contracts/auth/settings";

type KeyRole = Exclude<Role, "owner">;

const ROLES: { value: KeyRole; label: string; hint: string }[] = [
  { value: "viewer", label: "Viewer", hint: "can view everything, change nothing" },
  { value: "developer", label: "Developer", hint: "can also re-deliver, release and connect" },
  { value: "admin", label: "Admin", hint: "can also rotate secrets and create API keys" },
];

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "none", label: "No expiry", hint: "not recommended for unattended programs" },
];

const expiryOf = (days: string): string | null => (days === "none" ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString());

export function CreateKeyDialog() {
  const [open, setOpen] = useState(false);
  const [role, setRole] = useState<KeyRole>("viewer");
  const [lifetime, setLifetime] = useState("90");
  const create = useCreateApiKey();
  useCommands([{ label: "Create API key", run: () => setOpen(true) }]);
  function change(next: boolean) {
    setOpen(next);
    if (!next) create.reset();
  }
  const submit = (fields: FormData) => create.mutate({ name: String(fields.get("name")).trim(), role, expiresAt: expiryOf(lifetime) });
  const created = create.data;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      closes={secretCloses(create.isPending, created?.key)}
      title={created ? `API key ${created.name}` : "Create API key"}
      trigger={
        <Button variant="primary" icon={<Plus aria-hidden />}>
          Create API key
        </Button>
      }
    >
      {created ? (
        <div className="flex flex-col gap-4">
          <SecretOnce secret={created.key} what="key" />
          <Button className="self-end" variant="primary" onClick={() => change(false)}>
            I've copied it
          </Button>
        </div>
      ) : (
        <Form failed="Couldn't create the key" error={create.error} onSubmit={submit}>
          <Field name="name" label="Name" hint="What uses it, e.g. “nightly export”.">
            <Input name="name" required maxLength={80} autoFocus />
          </Field>
          <Field name="role" label="Role">
            <Select options={ROLES} value={role} onValueChange={(value) => setRole(value as KeyRole)} />
          </Field>
          <Field name="expiresAt" label="Expires after">
            <Select options={LIFETIMES} value={lifetime} onValueChange={setLifetime} />
          </Field>
          <FormButtons submitLabel="Create key" pending={create.isPending} onCancel={() => change(false)} />
        </Form>
      )}
    </Dialog>
  );
}
