"use client";

import { ShieldCheck } from "lucide-react";
import { formatNumber } from "#components/ui/lists/count";
import { Tooltip } from "#components/ui/overlay/tooltip";
import { Button } from "#components/ui/primitives/button";
import { LinkButton } from "#components/ui/primitives/link-button";
import type { DiagnosisCode } from "#lib/contracts/diagnosis";
import type { QuarantineCauseFilter } from "#lib/contracts/filters/quarantine-filters";
import type { QuarantineDiagnoses } from "#lib/contracts/quarantine";
import type { GroupWindow } from "./group-window.tsx";

type Group = QuarantineDiagnoses["data"][number];

const SOURCES = "/settings/sources";

const mapFields = (source: string) => ({ label: "Map fields", href: `/settings/field-mapping?source=${encodeURIComponent(source)}` });

/** What to press where nothing can be released yet: a link to where the fix is. */
const LINKS: Partial<Record<DiagnosisCode, (group: Group) => { label: string; href: string }>> = {
  verifies: ({ source }) => mapFields(source),
  verifies_reserialized: ({ source }) => mapFields(source),
  secret_sent: () => ({ label: "Rotate the secret", href: SOURCES }),
  secret_trimmed: () => ({ label: "Correct the secret", href: SOURCES }),
  secret_decoded: () => ({ label: "Open the source", href: SOURCES }),
  secret_of_another_source: () => ({ label: "Compare the sources' URLs", href: SOURCES }),
  no_match: () => ({ label: "Set the secret", href: SOURCES }),
  other_sender: ({ about }) => ({ label: `Add a source for ${about ?? "it"}`, href: SOURCES }),
  malformed: () => ({ label: "Open the source", href: SOURCES }),
  url_changed: () => ({ label: "Compare the source's URL", href: SOURCES }),
  network_unknown: () => ({ label: "Open the source", href: SOURCES }),
  invalid_envelope: ({ source }) => mapFields(source),
};

/** True if a group has a button that helps. */
export const hasAction = ({ code, releasable, likelyReal }: Group): boolean =>
  releasable > 0 || code === "secret_retired" || code === "clock" || (likelyReal && code !== null && LINKS[code] !== undefined);

export type GroupRights = { canRelease: boolean; canDismiss: boolean; canAccept: boolean };

type GroupActionProps = {
  group: Group;
  /** Selects the group's requests. */
  filter: QuarantineCauseFilter;
  variant: "primary" | "secondary";
  rights: GroupRights;
  onOpen: (window: GroupWindow) => void;
};

/** The button that helps with a group: release it, accept its secret again, or go where the cause is. */
export function GroupAction({ group, filter, variant, rights, onOpen }: GroupActionProps) {
  const { code, about, count, releasable, source } = group;
  const look = { size: "sm", icon: <ShieldCheck aria-hidden />, "aria-haspopup": "dialog" } as const;
  const button = (label: string, opened: GroupWindow) => (
    <Button {...look} variant={variant} onClick={() => onOpen(opened)}>
      {label}
    </Button>
  );
  if (releasable > 0 && rights.canRelease) return button(`Release ${formatNumber(releasable)}`, { kind: "release", filter, late: false });
  if (code === "clock" && rights.canRelease)
    return button(`Release ${formatNumber(count)} that came late`, { kind: "release", filter, late: true });
  if (code === "secret_retired" && about !== null) {
    const label = `Accept it again for 24 h and release ${formatNumber(count)}`;
    if (rights.canAccept) return button(label, { kind: "accept", group, secret: about });
    return (
      <Tooltip content="Only owners and admins can accept a retired secret again.">
        <Button size="sm" icon={<ShieldCheck aria-hidden />} aria-disabled>
          {label}
        </Button>
      </Tooltip>
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
