"use client";

import { shortId } from "#components/records/resource-id";
import { Banner } from "#components/ui/feedback/banner";
import { TextLink } from "#components/ui/layout/text-link";
import type { OverlayPane } from "#components/ui/overlay/overlay";
import { ExactTime } from "#components/ui/time/exact-time";
import { TimeAgo } from "#components/ui/time/time-ago";
import { useAcceptAgain } from "#lib/client/queries/quarantine/releases";
import { countWords, formatNumber } from "#lib/contracts/counts/format-count";
import type { QuarantineDiagnoses } from "#lib/contracts/quarantine";
import { NotKept } from "../diagnoses/not-kept.tsx";
import { ReleaseDialog } from "./release-dialog.tsx";

/** Time for giving the sender the current secret. */
export const ACCEPT_HOURS = 24;

export type AcceptWindowProps = { group: QuarantineDiagnoses["data"][number]; secret: string };

export function AcceptWindow({ group, secret, ...pane }: OverlayPane & AcceptWindowProps) {
  const { source, sourceId, evidence, senders } = group;
  const accept = useAcceptAgain(sourceId);
  const retiredAt = evidence.find(({ label }) => label === "Retired at")?.value;
  const name = shortId(secret);
  return (
    <ReleaseDialog
      {...pane}
      count={{ filter: { source, about: secret }, accept: secret }}
      title={`Accept ${name} again for ${ACCEPT_HOURS}\u00a0h`}
      description={`${source} still gets requests signed with this secret, which was replaced. They are verified with it again; only valid events are released.`}
      releaseLabel={(count) => `Accept for ${ACCEPT_HOURS} h and release ${formatNumber(count)}`}
      start={{ ...accept, run: () => accept.mutate({ secret, hours: ACCEPT_HOURS, release: true }) }}
      operationId={accept.data?.operation?.id}
      before={
        <>
          <Banner tone="attention">
            Whoever holds {name} can send events to {source} for {ACCEPT_HOURS} hours. If it was replaced because it leaked, cancel.
          </Banner>
          <p className="text-13 text-muted">
            {retiredAt === undefined ? null : (
              <>
                Retired <TimeAgo at={retiredAt} titled />.{" "}
              </>
            )}
            {`The requests come from ${countWords(senders, "IP address", "IP addresses")}.`}
          </p>
          <NotKept group={group} advice />
        </>
      }
      after={
        accept.data === undefined ? null : (
          <p className="text-13">
            Accepted until <ExactTime at={accept.data.validUntil} />. Before then, set the current secret at the sender. You can end it
            sooner in <TextLink href="/settings/sources">Sources and secrets</TextLink>.
          </p>
        )
      }
    />
  );
}
