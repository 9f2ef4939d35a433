"use client";

import { ShieldCheck } from "lucide-react";
import { overlay } from "#components/ui/overlay/overlay";
import { Button } from "#components/ui/primitives/button";
import type { ReleasesBody } from "#lib/contracts/quarantine";

const Window = overlay<Pick<ReleasesBody, "filter">>("dialog", () => import("./release-window.tsx").then((module) => module.ReleaseWindow));

type ReleaseAllProps = {
  filter: ReleasesBody["filter"];
  label: string;
  variant: "primary" | "secondary";
  /** True if the button is there; a window that is open stays, also when nothing is left to release. */
  offered?: boolean;
};

/** The button that verifies all quarantined requests again. The window is not part of the page's first load. */
export function ReleaseAll({ filter, label, variant, offered = true }: ReleaseAllProps) {
  const button = (
    <Button variant={variant} size={variant === "primary" ? "md" : "sm"} icon={<ShieldCheck aria-hidden />}>
      {label}
    </Button>
  );
  return <Window filter={filter} trigger={offered ? button : undefined} />;
}
