"use client";

import { Plus } from "lucide-react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { useOverlay } from "#components/ui/overlay/use-overlay";
import { Button } from "#components/ui/primitives/button";

const Window = lazyComponent(() => import("./create-destination-window.tsx").then((module) => module.CreateDestinationWindow));

/** The button that adds a destination. The window's form is not part of the page's first load. */
export function CreateDestinationDialog(options: { types: string[]; sources: string[] }) {
  const overlay = useOverlay(
    "dialog",
    <Button variant="primary" icon={<Plus aria-hidden />}>
      Create destination
    </Button>,
  );
  return (
    <>
      {overlay.trigger}
      {overlay.shown ? <Window {...options} {...overlay.pane} /> : null}
    </>
  );
}
