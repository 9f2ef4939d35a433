import { type ReactElement, type ReactNode, useState } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { Form, FormButtons } from "#components/ui/form";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { useWindowAction } from "#components/ui/primitives/use-action";

type FormDialogProps = {
  /** Its button; without one it is open from the start. */
  trigger?: ReactElement;
  /** What the palette calls it. */
  command?: string | undefined;
  onClose?: () => void;
  title: ReactNode;
  description?: ReactNode;
  className?: string;
  /** The failed action, shown before an error that belongs to no field. */
  failed: string;
  submitLabel: ReactNode;
  disabled?: boolean;
  /** The dialog closes when it ends, and stays open with what is wrong when it throws. */
  onSubmit: (fields: FormData) => Promise<unknown>;
  /** A secret that the form has made, shown in its place; null before. Closed during the request or by accident, it would be lost. */
  made?: ReactNode;
  children: ReactNode;
};

/** A dialog that is one form: its fields with the errors at them, and the buttons. */
export function FormDialog({
  command,
  onClose,
  failed,
  submitLabel,
  disabled = false,
  onSubmit,
  made,
  children,
  ...dialog
}: FormDialogProps) {
  const [open, setOpen] = useState(dialog.trigger === undefined);
  useCommands(command === undefined ? [] : [{ label: command, run: () => setOpen(true) }]);
  const submit = async (fields: FormData) => {
    await onSubmit(fields);
    return made === undefined ? undefined : "stays";
  };
  const { run, busy, problem, change } = useWindowAction(failed, submit, (next) => {
    setOpen(next);
    if (!next) onClose?.();
  });
  return (
    <Dialog
      {...dialog}
      open={open}
      onOpenChange={change}
      closes={made && !busy ? "button" : busy && made !== undefined ? "never" : "anyhow"}
    >
      {made ? (
        <div className="flex flex-col gap-4">
          {made}
          <Button className="self-end" variant="primary" onClick={() => change(false)}>
            I've copied it
          </Button>
        </div>
      ) : (
        <Form failed={failed} error={problem} onSubmit={run}>
          {children}
          <FormButtons submitLabel={submitLabel} pending={busy} disabled={disabled} onCancel={() => change(false)} />
        </Form>
      )}
    </Dialog>
  );
}
