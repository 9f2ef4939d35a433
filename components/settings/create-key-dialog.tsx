"use client";

import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { SecretOnce } from "#components/settings/secret-once";
import { Button } from "#components/ui/button";
import { Dialog } from "#components/ui/dialog";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { ProblemNotice } from "#components/ui/problem-notice";
import { Select } from "#components/ui/select";
import { useCreateApiKey } from "#lib/client/settings";
import type { Role } from "#lib/contracts/settings";

type KeyRole = Exclude<Role, "owner">;

const ROLES: { value: KeyRole; label: string; hint: string }[] = [
  { value: "viewer", label: "Viewer", hint: "reads everything, changes nothing" },
  { value: "developer", label: "Developer", hint: "also re-delivers, admits and connects" },
  { value: "admin", label: "Admin", hint: "also rotates secrets and makes keys" },
];

const DAY_MS = 86_400_000;
const LIVES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
  { value: "none", label: "Until it is revoked", hint: "for programs that nobody looks after, think twice" },
];

const endOf = (days: string): string | null => (days === "none" ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString());

/** Makes an API key and shows it once. */
export function CreateKeyDialog() {
  const [open, setOpen] = useState(false);
  const [role, setRole] = useState<KeyRole>("viewer");
  const [life, setLife] = useState("90");
  const create = useCreateApiKey();
  function change(next: boolean) {
    setOpen(next);
    if (!next) create.reset();
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    create.mutate({ name: String(new FormData(event.currentTarget).get("name")).trim(), role, expiresAt: endOf(life) });
  }
  const made = create.data;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={made ? `The key ${made.name}` : "Create an API key"}
      trigger={
        <Button variant="primary" icon={<Plus aria-hidden />}>
          Create an API key
        </Button>
      }
    >
      {made ? (
        <div className="flex flex-col gap-4">
          <SecretOnce secret={made.key} what="the key" />
          <Button className="self-end" variant="primary" onClick={() => change(false)}>
            I have copied it
          </Button>
        </div>
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-4">
          {create.error ? <ProblemNotice announce what="The key was not made" why={create.error.message} /> : null}
          <Field label="Name" hint="What uses it: “nightly export”.">
            <Input name="name" required maxLength={80} autoFocus />
          </Field>
          <Field label="Role">
            <Select options={ROLES} value={role} onValueChange={(value) => setRole(value as KeyRole)} />
          </Field>
          <Field label="It works for">
            <Select options={LIVES} value={life} onValueChange={setLife} />
          </Field>
          <div className="flex justify-end gap-2">
            <Button onClick={() => change(false)}>Cancel</Button>
            <Button type="submit" variant="primary" loading={create.isPending}>
              Create the key
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
