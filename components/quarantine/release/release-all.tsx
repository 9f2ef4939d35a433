"use client";

import { ShieldCheck } from "lucide-react";
import { overlay } from "#components/ui/overlay/overlay";
import { Button } from "#components/ui/primitives/button";
import type { ReleaseWindowProps } from "./release-window.tsx";

const Window = overlay<ReleaseWindowProps>("dialog", () => import("./release-window.tsx").then((module) => module.ReleaseWindow));

type ReleaseAllProps = Pick<ReleaseWindowProps, "filter"> & {
  label: string;
  /** True if the button is shown; a window that is open stays, also when nothing is left to release. */
  offered?: boolean;
};

/** The button that verifies all quarantined requests again. The window is not part of the page's first load. */
export function ReleaseAll({ filter, label, offered = true }: ReleaseAllProps) {
  const button = (
    <Button size="sm" icon={<ShieldCheck aria-hidden />}>
      {label}
    </Button>
  );
  return <Window filter={filter} trigger={offered ? button : undefined} />;
}
