"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/forms/field";
import { Form, FormButtons } from "#components/ui/forms/form";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { renameWorkspace } from "#lib/client/queries/auth/account";

export function RenameWorkspace({ name }: { name: string }) {
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const router = useRouter();
  async function submit(fields: FormData) {
    setBusy(true);
    setProblem(null);
    try {
      await renameWorkspace(String(fields.get("name")).trim());
      setOpen(false);
      toast.success("Workspace renamed");
      router.refresh();
    } catch (error) {
      setProblem(error as Error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Dialog open={open} onOpenChange={setOpen} title="Rename workspace" trigger={<Button size="sm">Rename</Button>}>
      <Form failed="Couldn't rename the workspace" error={problem} onSubmit={submit}>
        <Field name="name" label="Name">
          <Input name="name" required maxLength={120} defaultValue={name} autoFocus />
        </Field>
        <FormButtons submitLabel="Rename" pending={busy} onCancel={() => setOpen(false)} />
      </Form>
    </Dialog>
  );
}
