"use client";

import type { OverlayPane } from "#components/ui/overlay/overlay";
import { useStartRelease } from "#lib/client/queries/quarantine/releases";
import { formatNumber } from "#lib/contracts/counts/format-count";
import type { ReleasesBody } from "#lib/contracts/quarantine";
import { ReleaseDialog } from "./release-dialog.tsx";

export type ReleaseWindowProps = {
  filter: ReleasesBody["filter"];
  /** Also release requests with a valid signature that arrived too late. */
  late?: boolean;
};

export function ReleaseWindow({ filter, late = false, ...pane }: OverlayPane & ReleaseWindowProps) {
  const start = useStartRelease();
  return (
    <ReleaseDialog
      {...pane}
      count={{ filter, late }}
      title={late ? "Release requests that arrived late" : "Re-verify quarantined requests"}
      description={
        late
          ? "Their signatures are valid, but their timestamps were too far from the time of receipt. A late request may be a copy of an earlier one: an event that the log already has is skipped."
          : "Each request that was not verified on arrival is checked against the current secrets, and all are parsed again. Only verified, valid events are released."
      }
      releaseLabel={(count) => `Release ${formatNumber(count)}`}
      start={{ ...start, run: () => start.mutate({ filter, late }) }}
      operationId={start.data?.id}
    />
  );
}
