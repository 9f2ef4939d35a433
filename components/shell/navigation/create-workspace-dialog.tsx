"use client";

import { type FormEvent, useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Field } from "#components/ui/forms/field";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { createWorkspace } from "#lib/client/queries/auth/account";

/** Creates a workspace with its own source and switches to it. */
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
      description="A workspace has its own events, connections, members, API keys and webhook URL. You will be its owner."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        {problem === null ? null : <ProblemNotice announce what="Couldn't create the workspace" why={problem} />}
        <Field label="Name">
          <Input name="name" required maxLength={120} placeholder="Acme staging" autoFocus />
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" variant="primary" loading={busy}>
            Create workspace
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
