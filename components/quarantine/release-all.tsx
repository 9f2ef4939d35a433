"use client";

import { ShieldCheck } from "lucide-react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { useOverlay } from "#components/ui/overlay/use-overlay";
import { Button } from "#components/ui/primitives/button";
import type { ReleasesBody } from "#lib/contracts/quarantine";

const Window = lazyComponent(() => import("./release-window.tsx").then((module) => module.ReleaseWindow));

type ReleaseAllProps = {
  filter: ReleasesBody["filter"];
  label: string;
  variant: "primary" | "secondary";
  /** Whether the button is there; a window that is open stays, also when nothing is left to release. */
  offered?: boolean;
};

/** The button that verifies all quarantined requests again. The window is not part of the page's first load. */
export function ReleaseAll({ filter, label, variant, offered = true }: ReleaseAllProps) {
  const overlay = useOverlay(
    "dialog",
    <Button variant={variant} size={variant === "primary" ? "md" : "sm"} icon={<ShieldCheck aria-hidden />}>
      {label}
    </Button>,
  );
  return (
    <>
      {offered ? overlay.trigger : null}
      {overlay.shown ? <Window filter={filter} {...overlay.pane} /> : null}
    </>
  );
}
