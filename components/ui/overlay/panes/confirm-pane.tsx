import { AlertDialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { toast } from "#components/ui/feedback/toast";
import { useFocusBack } from "#components/ui/overlay/focus";
import { Button } from "#components/ui/primitives/button";
import { useWindowAction } from "#components/ui/primitives/use-action";
import type { OverlayPane } from "../overlay.tsx";

export type ConfirmContent = {
  title: ReactNode;
  description: ReactNode;
  /** The verb and its object, never "OK". */
  confirmLabel: string;
  danger?: boolean;
  choice?: ReactNode;
  /** The dialog closes when it succeeds, and stays open with the message when it throws. */
  onConfirm: () => Promise<unknown> | unknown;
  /** Said when it has succeeded. */
  done?: string;
};

export function ConfirmPane({
  id,
  anchor,
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  danger = false,
  choice,
  onConfirm,
  done,
}: OverlayPane & ConfirmContent) {
  const focusBack = useFocusBack(anchor);
  const confirm = async () => {
    await onConfirm();
    if (done !== undefined) toast.success(done);
  };
  const failed = `Couldn't ${confirmLabel.charAt(0).toLowerCase()}${confirmLabel.slice(1)}`;
  const { run, busy, problem, change } = useWindowAction(failed, confirm, onOpenChange);
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Portal>
        <Radix.Overlay className="enter-fade fixed inset-0 z-40 bg-scrim" />
        <Radix.Content
          id={id}
          {...focusBack.content}
          className="enter-rise fixed top-[16vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-[440px] -translate-x-1/2 rounded-md border border-line-strong bg-raised shadow-raised"
        >
          <div className="px-5 pt-4 pb-5">
            <Radix.Title className="text-16 font-semibold">{title}</Radix.Title>
            <Radix.Description asChild>
              <div className="mt-1 text-13 text-muted">{description}</div>
            </Radix.Description>
            {choice === undefined ? null : <div className="mt-3">{choice}</div>}
            {problem === null ? null : (
              <p role="alert" className="mt-3 text-13 text-failed">
                {problem.message}
              </p>
            )}
          </div>
          <div className="flex justify-end gap-2 border-t border-line px-5 py-3">
            <Radix.Cancel asChild>
              <Button>Cancel</Button>
            </Radix.Cancel>
            <Button variant={danger ? "danger" : "primary"} loading={busy} onClick={() => run()}>
              {confirmLabel}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
