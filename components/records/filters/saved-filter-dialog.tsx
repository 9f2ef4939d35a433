import { Trash2 } from "lucide-react";
import { useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { Field, Form, FormButtons } from "#components/ui/form";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { Switch } from "#components/ui/primitives/switch";
import { useChangeSavedFilter } from "#lib/client/saved-filters";
import type { SavedFilter } from "#lib/contracts/saved-filters";

type SavedFilterDialogProps = {
  page: SavedFilter["page"];
  parameters: SavedFilter["filter"];
  saved: SavedFilter | undefined;
  mayShare: boolean;
  onClose: () => void;
};

export function SavedFilterDialog({ page, parameters, saved, mayShare, onClose }: SavedFilterDialogProps) {
  const [shared, setShared] = useState(saved?.shared ?? false);
  const change = useChangeSavedFilter();
  const done = (words: string) => ({
    onSuccess: () => {
      toast.success(words);
      onClose();
    },
  });
  function submit(fields: FormData) {
    const name = String(fields.get("name"));
    change.mutate(
      saved ? { id: saved.id, change: { name, shared } } : { create: { name, page, filter: parameters, shared } },
      done(saved ? "Saved filter changed" : "Filter saved"),
    );
  }
  const remove = () => saved && change.mutate({ remove: saved.id }, done("Saved filter deleted"));
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={saved ? "Edit saved filter" : "Save filter"}
      description="It appears in the navigation, under Saved filters."
    >
      <Form failed="Couldn't save the filter" error={change.error} onSubmit={submit}>
        <Field name="name" label="Name">
          <Input name="name" required maxLength={80} defaultValue={saved?.name ?? ""} autoFocus placeholder="e.g. Failed today" />
        </Field>
        {mayShare && (saved === undefined || saved.own || !saved.shared) ? (
          <Switch checked={shared} onCheckedChange={setShared}>
            Share with everyone in the workspace
          </Switch>
        ) : null}
        <FormButtons submitLabel={saved ? "Save changes" : "Save filter"} pending={change.isPending} onCancel={onClose}>
          {saved ? (
            <Button icon={<Trash2 aria-hidden />} onClick={remove}>
              Delete filter
            </Button>
          ) : undefined}
        </FormButtons>
      </Form>
    </Dialog>
  );
}
