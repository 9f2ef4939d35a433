import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "#components/ui/primitives/cn";
import type { OverlayPane } from "../overlay.tsx";
import { type PaneOptions, usePaneContent } from "./use-pane-content.tsx";

export type PopoverContent = PaneOptions & { children: ReactNode };

export function PopoverPane({ label, align, className, children, ...pane }: OverlayPane & PopoverContent) {
  const content = usePaneContent(pane, { label, className: cn("w-72 p-3", className), ...(align && { align }) });
  return (
    <Radix.Root open={pane.open} onOpenChange={pane.onOpenChange}>
      <Radix.Anchor virtualRef={pane.anchor} />
      <Radix.Portal>
        <Radix.Content {...content}>{children}</Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
