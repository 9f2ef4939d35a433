import { Field, Form, FormButtons } from "#components/ui/form";
import { Dialog } from "#components/ui/overlay/dialog";
import { Input } from "#components/ui/primitives/input";
import { leaveFor, useAction } from "#components/ui/primitives/use-action";
import { createWorkspace } from "#lib/client/queries/account";

export function CreateWorkspaceDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { run, busy, problem } = useAction((fields: FormData) =>
    createWorkspace(String(fields.get("name")).trim()).then(() => leaveFor("/")),
  );
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Create a workspace"
      description="A workspace has its own events, connections, members, API keys and webhook URL. You will be its owner."
    >
      <Form failed="Couldn't create the workspace" error={problem} onSubmit={run}>
        <Field name="name" label="Name">
          <Input name="name" required maxLength={120} placeholder="Acme staging" autoFocus />
        </Field>
        <FormButtons submitLabel="Create workspace" pending={busy} onCancel={() => onOpenChange(false)} />
      </Form>
    </Dialog>
  );
}
