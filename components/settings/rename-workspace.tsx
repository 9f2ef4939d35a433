"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button";
import { Dialog } from "#components/ui/dialog";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { ProblemNotice } from "#components/ui/problem-notice";
import { toast } from "#components/ui/toast";
import { renameWorkspace } from "#lib/client/account";

/** Gives the workspace another name. */
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
      toast.success("The workspace is renamed");
      router.refresh();
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Dialog open={open} onOpenChange={setOpen} title="Rename the workspace" trigger={<Button size="sm">Rename</Button>}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {problem === null ? null : <ProblemNotice announce what="The workspace was not renamed" why={problem} />}
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
