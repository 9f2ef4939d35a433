"use client";

import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button";
import { Dialog } from "#components/ui/dialog";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { ProblemNotice } from "#components/ui/problem-notice";
import { createWorkspace } from "#lib/client/account";

/** Makes a workspace with a source of its own and goes there. */
export function CreateWorkspaceDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name")).trim();
    setBusy(true);
    setProblem(null);
    try {
      await createWorkspace(name);
      location.assign("/");
    } catch (error) {
      setProblem((error as Error).message);
      setBusy(false);
    }
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Create a workspace"
      description="It has events, connections, members and keys of its own, and its own address for webhooks. You will own it."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        {problem === null ? null : <ProblemNotice announce what="The workspace was not made" why={problem} />}
        <Field label="Name">
          <Input name="name" required maxLength={120} placeholder="Acme staging" autoFocus />
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" variant="primary" loading={busy}>
            Create the workspace
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
