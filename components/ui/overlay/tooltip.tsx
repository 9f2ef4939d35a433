"use client";

import { Tooltip as Radix } from "radix-ui";
import { type ReactElement, type ReactNode, useState } from "react";

/** Extra text for a control. Never the only place for information. */
export function Tooltip({
  content,
  side = "top",
  shown = false,
  children,
}: {
  content: ReactNode;
  /** Shows it without a hover: to confirm a click, which would close it. */
  shown?: boolean;
  side?: "top" | "right" | "bottom" | "left";
  children: ReactElement;
}) {
  const [open, setOpen] = useState(false);
  return (
    <Radix.Provider delayDuration={300}>
      <Radix.Root open={open || shown} onOpenChange={setOpen}>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="enter-fade z-50 max-w-72 rounded-md border border-line-strong bg-raised px-2 py-1 text-12 text-text shadow-raised"
          >
            {content}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
