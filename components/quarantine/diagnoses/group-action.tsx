"use client";

import { ShieldCheck } from "lucide-react";
import { Tooltip } from "#components/ui/overlay/tooltip";
import { Button } from "#components/ui/primitives/button";
import { LinkButton } from "#components/ui/primitives/link-button";
import { formatNumber } from "#lib/contracts/counts/format-count";
import type { DiagnosisCode } from "#lib/contracts/diagnosis";
import type { QuarantineCauseFilter } from "#lib/contracts/filters/quarantine-filters";
import type { QuarantineDiagnoses } from "#lib/contracts/quarantine";
import type { GroupWindow } from "./group-window.tsx";

type Group = QuarantineDiagnoses["data"][number];

const SOURCES = "/settings/sources";

const mapFields = (source: string) => ({ label: "Map fields", href: `/settings/field-mapping?source=${encodeURIComponent(source)}` });

/** Codes of requests with a valid signature that can't be parsed. */
const UNREADABLE: ReadonlySet<DiagnosisCode | null> = new Set<DiagnosisCode>(["verifies", "verifies_reserialized", "invalid_envelope"]);

/** Links to the fix, for groups of which nothing can be released yet. */
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
};

function linkOf(group: Group, { mapFields: mappable }: GroupRights): { label: string; href: string } | undefined {
  const { code, likelyReal, source } = group;
  if (!likelyReal || code === null) return undefined;
  if (UNREADABLE.has(code)) return mappable.includes(source) ? mapFields(source) : undefined;
  return LINKS[code]?.(group);
}

export const hasAction = (group: Group, rights: GroupRights): boolean =>
  group.releasable > 0 || group.code === "secret_retired" || group.code === "clock" || linkOf(group, rights) !== undefined;

export type GroupRights = {
  canRelease: boolean;
  canDismiss: boolean;
  canAccept: boolean;
  mapFields: string[];
};

type GroupActionProps = {
  group: Group;
  filter: QuarantineCauseFilter;
  variant: "primary" | "secondary";
  rights: GroupRights;
  onOpen: (window: GroupWindow) => void;
};

export function GroupAction({ group, filter, variant, rights, onOpen }: GroupActionProps) {
  const { code, about, count, releasable, source } = group;
  const look = { size: "sm", icon: <ShieldCheck aria-hidden />, "aria-haspopup": "dialog" } as const;
  const button = (label: string, opened: GroupWindow) => (
    <Button {...look} variant={variant} onClick={() => onOpen(opened)}>
      {label}
    </Button>
  );
  const release = (label: string, late: boolean) =>
    rights.canRelease ? button(label, { kind: "release", filter, late }) : <Refused label={label} why={NO_RELEASE} />;
  if (releasable > 0) return release(`Release ${formatNumber(releasable)}`, false);
  if (code === "clock") return release(`Release ${formatNumber(count)} that came late`, true);
  if (code === "secret_retired" && about !== null) {
    const label = `Accept it again for 24 h and release ${formatNumber(count)}`;
    if (rights.canAccept) return button(label, { kind: "accept", group, secret: about });
    return <Refused label={label} why="Only owners and admins can accept a retired secret again." />;
  }
  const link = linkOf(group, rights);
  if (!link) return null;
  return (
    <LinkButton size="sm" variant={variant} href={link.href} aria-label={`${link.label}: ${source}`}>
      {link.label}
    </LinkButton>
  );
}

const NO_RELEASE = "Your role can view quarantined requests but not release them. Ask an owner or admin.";

function Refused({ label, why }: { label: string; why: string }) {
  return (
    <Tooltip content={why}>
      <Button size="sm" icon={<ShieldCheck aria-hidden />} aria-disabled>
        {label}
      </Button>
    </Tooltip>
  );
}
