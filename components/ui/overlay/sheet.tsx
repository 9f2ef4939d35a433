"use client";

import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { WindowHead } from "#components/ui/lists/window-head";

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
