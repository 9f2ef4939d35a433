"use client";

import { RotateCw } from "lucide-react";
import { useState } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { TextLink } from "#components/ui/layout/text-link";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { Button } from "#components/ui/primitives/button";
import { LinkButton } from "#components/ui/primitives/link-button";

const RedeliverDialog = lazyComponent(() =>
  import("#components/records/redelivery/redeliver-dialog").then((module) => module.RedeliverDialog),
);

type RedeliverIssueProps = {
  issueId: string;
  /** The events have no ID and the user may map fields: re-delivered without a mapping they fail again. */
  mappable: boolean;
  allowed: boolean;
};

export function RedeliverIssue({ issueId, mappable, allowed }: RedeliverIssueProps) {
  const [open, setOpen] = useState(false);
  const ask = () => setOpen(true);
  useCommands(allowed ? [{ label: "Re-deliver failed events", keys: "r", run: ask }] : []);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {mappable ? (
        <LinkButton variant="primary" size="sm" href={`/settings/field-mapping?issue=${encodeURIComponent(issueId)}`}>
          Map fields
        </LinkButton>
      ) : null}
      {allowed ? (
        <Button variant={mappable ? "secondary" : "primary"} size="sm" icon={<RotateCw aria-hidden />} onClick={ask}>
          Re-deliver failed events
        </Button>
      ) : null}
      <TextLink href={`/events?issue=${encodeURIComponent(issueId)}&state=failed`}>Review them</TextLink>
      {open ? (
        <RedeliverDialog dryRunFirst set={{ filter: { issue: [issueId], state: ["failed"] } }} onClose={() => setOpen(false)} />
      ) : null}
    </div>
  );
}
