"use client";

import { overlay } from "#components/ui/overlay/overlay";
import type { AcceptWindowProps } from "../release/accept-window.tsx";
import type { ReleaseWindowProps } from "../release/release-window.tsx";

const AcceptDialog = overlay<AcceptWindowProps>("dialog", () =>
  import("../release/accept-window.tsx").then((module) => module.AcceptWindow),
);

const ReleaseDialog = overlay<ReleaseWindowProps>("dialog", () =>
  import("../release/release-window.tsx").then((module) => module.ReleaseWindow),
);

export type GroupWindow = ({ kind: "release" } & ReleaseWindowProps) | ({ kind: "accept" } & AcceptWindowProps);

type GroupWindowsProps = { opened: GroupWindow; open: boolean; onOpenChange: (open: boolean) => void };

/** The dialog outlives its row, which is gone as soon as the requests are released. */
export function GroupWindows({ opened, ...pane }: GroupWindowsProps) {
  if (opened.kind === "accept") return <AcceptDialog {...pane} group={opened.group} secret={opened.secret} />;
  return <ReleaseDialog {...pane} filter={opened.filter} late={opened.late ?? false} />;
}
