"use client";

import { ShieldCheck } from "lucide-react";
import { formatNumber } from "#components/ui/lists/count";
import { overlay } from "#components/ui/overlay/overlay";
import { Tooltip } from "#components/ui/overlay/tooltip";
import { Button } from "#components/ui/primitives/button";
import { LinkButton } from "#components/ui/primitives/link-button";
import type { DiagnosisCode } from "#lib/contracts/diagnosis";
import type { QuarantineCauseFilter } from "#lib/contracts/filters/quarantine-filters";
import type { QuarantineDiagnoses } from "#lib/contracts/quarantine";
import type { AcceptWindowProps } from "../release/accept-window.tsx";
import { ReleaseAll } from "../release/release-all.tsx";

type Group = QuarantineDiagnoses["data"][number];

const AcceptDialog = overlay<AcceptWindowProps>("dialog", () =>
  import("../release/accept-window.tsx").then((module) => module.AcceptWindow),
);

const SOURCES = "/settings/sources";

/** What to press where nothing can be released yet: a link to where the fix is. */
const LINKS: Partial<Record<DiagnosisCode, (group: Group) => { label: string; href: string }>> = {
  secret_sent: () => ({ label: "Rotate the secret", href: SOURCES }),
  secret_trimmed: () => ({ label: "Correct the secret", href: SOURCES }),
  secret_decoded: () => ({ label: "Open the source", href: SOURCES }),
  secret_of_another_source: () => ({ label: "Compare the sources' URLs", href: SOURCES }),
  no_match: () => ({ label: "Set the secret", href: SOURCES }),
  other_sender: ({ about }) => ({ label: `Add a source for ${about ?? "it"}`, href: SOURCES }),
  malformed: () => ({ label: "Open the source", href: SOURCES }),
  url_changed: () => ({ label: "Compare the source's URL", href: SOURCES }),
  network_unknown: () => ({ label: "Open the source", href: SOURCES }),
  invalid_envelope: ({ source }) => ({ label: "Map fields", href: `/settings/field-mapping?source=${encodeURIComponent(source)}` }),
};

/** Whether a group has a button that helps. */
export const hasAction = ({ code, releasable, likelyReal }: Group): boolean =>
  releasable > 0 || code === "secret_retired" || code === "clock" || (likelyReal && code !== null && LINKS[code] !== undefined);

export type GroupRights = { canRelease: boolean; canDismiss: boolean; canAccept: boolean };

type GroupActionProps = {
  group: Group;
  /** Selects the group's requests. */
  filter: QuarantineCauseFilter;
  /** The filter selects more than the group: the count on the button is of the group's part. */
  variant: "primary" | "secondary";
  rights: GroupRights;
};

/** The button that helps with a group: release it, accept its secret again, or go where the cause is. */
export function GroupAction({ group, filter, variant, rights }: GroupActionProps) {
  const { code, about, count, releasable, source } = group;
  if (releasable > 0 && rights.canRelease)
    return <ReleaseAll filter={filter} label={`Release ${formatNumber(releasable)}`} variant={variant} size="sm" />;
  if (code === "clock" && rights.canRelease)
    return <ReleaseAll filter={filter} late label={`Release ${formatNumber(count)} that came late`} variant={variant} size="sm" />;
  if (code === "secret_retired" && about !== null) {
    const label = `Accept it again for 24 h and release ${formatNumber(count)}`;
    const look = { size: "sm", icon: <ShieldCheck aria-hidden /> } as const;
    if (!rights.canAccept)
      return (
        <Tooltip content="Only owners and admins can accept a retired secret again.">
          <Button {...look} aria-disabled>
            {label}
          </Button>
        </Tooltip>
      );
    return (
      <AcceptDialog
        group={group}
        secret={about}
        trigger={
          <Button {...look} variant={variant}>
            {label}
          </Button>
        }
      />
    );
  }
  const link = group.likelyReal && code !== null ? LINKS[code]?.(group) : undefined;
  if (!link) return null;
  return (
    <LinkButton size="sm" variant={variant} href={link.href} aria-label={`${link.label}: ${source}`}>
      {link.label}
    </LinkButton>
  );
}
