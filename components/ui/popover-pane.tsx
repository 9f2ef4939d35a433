"use client";

import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "#components/ui/cn";
import { useBackToTrigger } from "#components/ui/use-back-to-trigger";
import type { OverlayPane } from "#components/ui/use-overlay";

type PopoverPaneProps = OverlayPane & { label: string; align?: "start" | "center" | "end"; className?: string; children: ReactNode };

/** What a `Popover` opens. */
export function PopoverPane({ id, anchor, open, onOpenChange, label, align = "start", className, children }: PopoverPaneProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Anchor virtualRef={anchor} />
      <Radix.Portal>
        <Radix.Content
          id={id}
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          {...useBackToTrigger(anchor)}
          className={cn("enter-rise z-50 w-72 rounded-md border border-line-strong bg-raised p-3 shadow-raised", className)}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
