import { useState } from "react";
import { Field, Form, FormButtons } from "#components/ui/form";
import { Dialog } from "#components/ui/overlay/dialog";
import { Input } from "#components/ui/primitives/input";
import { createWorkspace } from "#lib/client/queries/account";

export function CreateWorkspaceDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error | null>(null);
  async function submit(fields: FormData) {
    setBusy(true);
    setProblem(null);
    try {
      await createWorkspace(String(fields.get("name")).trim());
      location.assign("/");
    } catch (error) {
      setProblem(error as Error);
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
      <Form failed="Couldn't create the workspace" error={problem} onSubmit={submit}>
        <Field name="name" label="Name">
          <Input name="name" required maxLength={120} placeholder="Acme staging" autoFocus />
        </Field>
        <FormButtons submitLabel="Create workspace" pending={busy} onCancel={() => onOpenChange(false)} />
      </Form>
    </Dialog>
  );
}
