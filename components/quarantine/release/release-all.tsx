"use client";

import { ShieldCheck } from "lucide-react";
import { overlay } from "#components/ui/overlay/overlay";
import { Button } from "#components/ui/primitives/button";
import type { ReleaseWindowProps } from "./release-window.tsx";

const Window = overlay<ReleaseWindowProps>("dialog", () => import("./release-window.tsx").then((module) => module.ReleaseWindow));

type ReleaseAllProps = Pick<ReleaseWindowProps, "filter"> & {
  label: string;
  /** False hides the button; an open dialog stays, even if nothing is left to release. */
  offered?: boolean;
};

export function ReleaseAll({ filter, label, offered = true }: ReleaseAllProps) {
  const button = (
    <Button size="sm" icon={<ShieldCheck aria-hidden />}>
      {label}
    </Button>
  );
  return <Window filter={filter} trigger={offered ? button : undefined} />;
}
