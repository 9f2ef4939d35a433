import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { useFocusBack } from "#components/ui/overlay/focus";
import { Button } from "#components/ui/primitives/button";
import { cn } from "#components/ui/primitives/cn";
import type { OverlayPane } from "../overlay.tsx";
import { UnsavedBar, useUnsaved } from "./unsaved.tsx";

export type DialogContent = {
  title: ReactNode;
  description?: ReactNode;
  footer?: ReactNode;
  className?: string;
  /** `anyhow`, or only by a button while it shows a secret, or `never` during a request whose response would be lost. */
  closes?: DialogCloses;
  children?: ReactNode;
};

export type DialogCloses = "anyhow" | "button" | "never";

const FIELD = "input:not([type=hidden]):not(:disabled), textarea, select, [role=combobox]";

/** Otherwise the focus would be on the close button, which comes first. */
function focusFirstField(event: Event) {
  const field = event.target instanceof HTMLElement ? event.target.querySelector<HTMLElement>(FIELD) : null;
  if (!field) return;
  event.preventDefault();
  field.focus();
}

export function DialogPane({
  id,
  anchor,
  open,
  onOpenChange,
  title,
  description,
  footer,
  className,
  closes = "anyhow",
  children,
}: OverlayPane & DialogContent) {
  const focusBack = useFocusBack(anchor);
  const { edited, asking, setAsking, onChange } = useUnsaved(open);
  const change = (next: boolean) => {
    if (next || closes !== "never") onOpenChange(next);
  };
  const dismiss = (event: Event) => {
    if (closes !== "anyhow") event.preventDefault();
    else if (edited()) {
      event.preventDefault();
      setAsking((asked) => !asked);
    }
  };
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Portal>
        <Radix.Overlay className="enter-fade fixed inset-0 z-50 bg-scrim" />
        <Radix.Content
          id={id}
          {...focusBack.content}
          onOpenAutoFocus={(event) => {
            focusBack.remember();
            focusFirstField(event);
          }}
          onEscapeKeyDown={dismiss}
          onInteractOutside={dismiss}
          onChange={onChange}
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          className={cn(
            "enter-rise fixed top-[12vh] left-1/2 z-50 flex max-h-[80vh] w-[calc(100vw-32px)] max-w-[480px] -translate-x-1/2 flex-col rounded-md border border-line-strong bg-raised shadow-raised",
            className,
          )}
        >
          <WindowHead title={title} titleLook="text-16" description={description} className="items-start px-5 pt-4 pb-3" />
          {/* The padding is inside: what sticks to the bottom sticks to the edge. */}
          <div className="min-h-0 overflow-y-auto">
            <div className="px-5 pb-5">{children}</div>
          </div>
          {footer === undefined ? null : <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</div>}
          {asking ? <UnsavedBar onKeep={() => setAsking(false)} onDiscard={() => change(false)} /> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type SheetProps = { title: ReactNode; open: boolean; onOpenChange: (open: boolean) => void; children: ReactNode };

export function Sheet({ title, open, onOpenChange, children }: SheetProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="enter-fade fixed inset-0 z-40 bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          className="enter-rise fixed bottom-0 left-0 z-50 flex max-h-[85dvh] w-full flex-col border-t border-line-strong bg-raised shadow-raised"
        >
          <WindowHead title={title} titleLook="truncate text-14" className="min-h-12 items-center border-b border-line px-4" />
          <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type WindowHeadProps = { title: ReactNode; titleLook: string; description?: ReactNode; className: string };

function WindowHead({ title, titleLook, description, className }: WindowHeadProps) {
  return (
    <div className={cn("flex gap-3", className)}>
      <div className="min-w-0 flex-1">
        <Radix.Title className={cn("font-semibold", titleLook)}>{title}</Radix.Title>
        {description === undefined ? null : <Radix.Description className="mt-1 text-13 text-muted">{description}</Radix.Description>}
      </div>
      <Radix.Close asChild>
        <Button variant="ghost" size="sm" aria-label="Close" className="-my-1 -mr-2 size-8 px-0" icon={<X />} />
      </Radix.Close>
    </div>
  );
}
