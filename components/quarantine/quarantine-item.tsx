import { EyeOff, ShieldCheck, Undo2 } from "lucide-react";
import { tellFailure, tellOutcome, toast } from "#components/ui/feedback/toast";
import type { Column } from "#components/ui/layout/data-table";
import { RowLink } from "#components/ui/layout/table";
import { overlay } from "#components/ui/overlay/overlay";
import { Badge, StateBadge } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { RefusedButton } from "#components/ui/primitives/icon-button";
import { TimeAgo } from "#components/ui/relative-time";
import { formatIp } from "#lib/client/format/caller-labels";
import { useDismiss, useRestore } from "#lib/client/queries/quarantine";
import { countWords } from "#lib/contracts/format-count";
import type { DismissalFilter, DismissalResult, QuarantineItem } from "#lib/contracts/quarantine";
import type { ReleaseWindowProps } from "./release-dialog.tsx";

const WIDE = "@max-[760px]:hidden";

export const QUARANTINE_COLUMNS: Column<QuarantineItem>[] = [
  { head: "Verdict", look: "w-full max-w-0 py-2", cell: (item) => <Verdict item={item} /> },
  { head: "Signature", className: WIDE, cell: (item) => <SignatureBadge item={item} /> },
  { head: "Source", className: WIDE, cell: ({ source }) => <span className="block max-w-32 truncate text-muted">{source}</span> },
  {
    head: "IP address",
    className: WIDE,
    look: "font-mono text-12 text-muted",
    cell: ({ ip }) => (ip === null ? "unknown" : formatIp(ip)),
  },
  { head: "Received", align: "right", look: "text-muted", cell: ({ receivedAt }) => <TimeAgo at={receivedAt} titled /> },
];

function Verdict({ item }: { item: QuarantineItem }) {
  return (
    <>
      <span className="flex items-center gap-2">
        <RowLink href={`/quarantine/${encodeURIComponent(item.id)}`} className="truncate">
          <span title={item.verdict}>{item.verdict}</span>
        </RowLink>
        {item.releasedAt === null ? null : <Badge tone="fine">Released</Badge>}
        {item.dismissedAt === null || item.releasedAt !== null ? null : <Badge>Dismissed</Badge>}
      </span>
      <span className="block truncate text-12 text-muted" title={item.fix}>
        {item.fix}
      </span>
      {item.claimed === null ? null : (
        <span className="block truncate text-12 text-muted">
          {item.verified || item.releasedAt !== null ? null : <span className="text-faint">Claimed: </span>}
          <span className="font-mono">{[item.claimed.type, item.claimed.subject, item.claimed.id].filter(Boolean).join(" · ")}</span>
        </span>
      )}
    </>
  );
}

/** Shows whether the signature is valid. Green only once released: a valid signature doesn't make an event. */
export function SignatureBadge({ item: { verified, diagnosis, releasedAt } }: { item: QuarantineItem }) {
  if (releasedAt !== null) return <StateBadge state="fine">Verified</StateBadge>;
  if (verified) return <StateBadge state="neutral">Valid signature</StateBadge>;
  if (diagnosis?.verifiesNow) return <StateBadge state="working">Verifies now</StateBadge>;
  return <StateBadge state="failed">Not verified</StateBadge>;
}

export const NO_RELEASE = "Your role can view quarantined requests but not release them. Ask an owner or admin.";
const NO_DISMISSAL = "Your role can view quarantined requests but not dismiss them. Ask an owner or admin.";

type DismissButtonProps = { filter: DismissalFilter; label: string; name?: string; allowed: boolean; onDone?: () => void };

export function DismissButton({ filter, label, name, allowed, onDone }: DismissButtonProps) {
  const dismiss = useDismiss();
  const restore = useRestore();
  const icon = <EyeOff />;
  const named = name === undefined ? {} : { "aria-label": name };
  if (!allowed)
    return (
      <RefusedButton size="sm" icon={icon} why={NO_DISMISSAL} {...named}>
        {label}
      </RefusedButton>
    );
  const undo = (dismissal: string) =>
    tellOutcome(
      restore.mutateAsync({ filter: { dismissal } }),
      ({ restored }) => `${countWords(restored, "request")} restored`,
      "Couldn't undo the dismissal",
    );
  const onDismissed = ({ dismissed, dismissal }: DismissalResult) => {
    if (dismissal === null) return toast.info("Nothing to dismiss", { description: "Someone else may have dismissed or released it." });
    toast.success(`${countWords(dismissed, "request")} dismissed`, {
      description: "They stay under Dismissed and can still be released.",
      action: { label: "Undo", onClick: () => undo(dismissal) },
    });
    onDone?.();
  };
  const send = () => tellOutcome(dismiss.mutateAsync({ filter }), onDismissed, "Couldn't dismiss");
  return (
    <Button size="sm" icon={icon} loading={dismiss.isPending} onClick={send} {...named}>
      {label}
    </Button>
  );
}

export function RestoreButton({ id, allowed }: { id: string; allowed: boolean }) {
  const restore = useRestore();
  if (!allowed) return null;
  const send = () => tellFailure(restore.mutateAsync({ filter: { ids: [id] } }), "Couldn't restore it");
  return (
    <Button size="sm" icon={<Undo2 />} loading={restore.isPending} onClick={send}>
      Restore
    </Button>
  );
}

const Window = overlay<ReleaseWindowProps>("dialog", () => import("./release-dialog.tsx").then((module) => module.ReleaseWindow));

type ReleaseAllProps = Pick<ReleaseWindowProps, "filter"> & {
  label: string;
  /** False hides the button; an open dialog stays, even if nothing is left to release. */
  offered?: boolean;
};

export function ReleaseAll({ filter, label, offered = true }: ReleaseAllProps) {
  const button = (
    <Button size="sm" icon={<ShieldCheck />}>
      {label}
    </Button>
  );
  return <Window filter={filter} trigger={offered ? button : undefined} />;
}
