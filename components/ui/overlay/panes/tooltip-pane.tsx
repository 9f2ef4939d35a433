// Radix Tooltip needs its own trigger; our trigger renders before this code has loaded.
import { DismissableLayer, Popper } from "radix-ui/internal";
import type { ReactNode, RefObject } from "react";
import { createPortal } from "react-dom";

type TooltipPaneProps = {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  onPointerEnter: () => void;
  onPointerLeave: () => void;
  onDismiss: () => void;
  children: ReactNode;
};

export function TooltipPane({ id, anchor, onDismiss, children, ...pointer }: TooltipPaneProps) {
  return createPortal(
    <Popper.Root>
      <Popper.Anchor virtualRef={anchor} />
      <DismissableLayer.Root asChild onEscapeKeyDown={onDismiss}>
        <Popper.Content
          id={id}
          role="tooltip"
          side="top"
          sideOffset={6}
          collisionPadding={8}
          className="enter-fade z-50 max-w-72 rounded-md border border-line-strong bg-raised px-2 py-1 text-12 text-text shadow-raised"
          {...pointer}
        >
          {children}
        </Popper.Content>
      </DismissableLayer.Root>
    </Popper.Root>,
    document.body,
  );
}
