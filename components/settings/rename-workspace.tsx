"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/forms/field";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { renameWorkspace } from "#lib/client/queries/auth/account";

/** Renames the workspace. */
export function RenameWorkspace({ name }: { name: string }) {
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const router = useRouter();
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await renameWorkspace(String(new FormData(event.currentTarget).get("name")).trim());
      setOpen(false);
      toast.success("Workspace renamed");
      router.refresh();
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Dialog open={open} onOpenChange={setOpen} title="Rename workspace" trigger={<Button size="sm">Rename</Button>}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {problem === null ? null : <ProblemNotice announce what="Couldn't rename the workspace" why={problem} />}
        <Field label="Name">
          <Input name="name" required maxLength={120} defaultValue={name} autoFocus />
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button type="submit" variant="primary" loading={busy}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
