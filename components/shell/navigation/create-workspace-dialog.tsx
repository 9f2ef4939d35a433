import { FormDialog } from "#components/shell/form-dialog";
import { Field } from "#components/ui/form";
import { Input } from "#components/ui/primitives/input";
import { leaveFor } from "#components/ui/primitives/use-action";
import { createWorkspace } from "#lib/client/queries/account";

export const CreateWorkspaceDialog = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    onClose={onClose}
    title="Create a workspace"
    description="A workspace has its own events, connections, members, API keys and webhook URL. You will be its owner."
    failed="Couldn't create the workspace"
    submitLabel="Create workspace"
    onSubmit={(fields) => createWorkspace(String(fields.get("name")).trim()).then(() => leaveFor("/"))}
  >
    <Field name="name" label="Name">
      <Input name="name" required maxLength={120} placeholder="Acme staging" autoFocus />
    </Field>
  </FormDialog>
);
