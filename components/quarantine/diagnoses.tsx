import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { withFallback } from "#components/ui/layout/content-states";
import { Section } from "#components/ui/layout/section";
import { useSteadyOrder } from "#components/ui/lists/use-steady-order";
import { useKeepFocus } from "#components/ui/overlay/focus";
import { overlay } from "#components/ui/overlay/overlay";
import { Button, LinkButton, RowButton } from "#components/ui/primitives/button";
import { RefusedButton } from "#components/ui/primitives/icon-button";
import { TimeAgo } from "#components/ui/relative-time";
import { quarantineDiagnosesQuery } from "#lib/client/queries/quarantine";
import { isEmptyFilter } from "#lib/client/url-filter";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { DiagnosisCode, QuarantineDiagnoses } from "#lib/contracts/quarantine";
import type { QuarantineCauseFilter } from "#lib/contracts/quarantine-filters";
import { fixLinkOf } from "./fix-links.tsx";
import { NotKept } from "./not-kept.tsx";
import { DismissButton, NO_RELEASE } from "./quarantine-item.tsx";
import type { AcceptWindowProps, ReleaseWindowProps } from "./release-dialog.tsx";

type Group = QuarantineDiagnoses["data"][number];

const keyOf = ({ code, about, sourceId }: Group) => `${sourceId} ${code} ${about}`;

type DiagnosesProps = { filter: QuarantineCauseFilter; rights: GroupRights; onShow: (group: QuarantineCauseFilter) => void };

/** Groups everything in quarantine that matches by diagnosis: all requests are counted, not only the loaded ones. */
export function Diagnoses(props: DiagnosesProps) {
  const [opened, setOpened] = useState<GroupWindow | null>(null);
  const [open, setOpen] = useState(false);
  const show = (next: GroupWindow) => {
    setOpened(next);
    setOpen(true);
  };
  return (
    <>
      <Groups {...props} onOpen={show} />
      {opened === null ? null : <GroupWindows opened={opened} open={open} onOpenChange={setOpen} />}
    </>
  );
}

type GroupsProps = DiagnosesProps & { onOpen: (window: GroupWindow) => void };

function Groups({ filter, ...rest }: GroupsProps) {
  const { data, fallback } = withFallback(useQuery(quarantineDiagnosesQuery(filter)), { what: "the diagnoses", rows: 2 });
  const { rows: groups, listeners } = useSteadyOrder(data?.data ?? [], keyOf);
  if (!data) return fallback;
  if (groups.length === 0) return null;
  // Only one button of the page is primary.
  const first = groups.find((group) => hasAction(group, rest.rights));
  return (
    <Section title={`${countWords(data.total, "request")} in quarantine${isEmptyFilter(filter) ? "" : " that match"}, by diagnosis`}>
      <ul aria-label="Diagnoses, known senders first" className="border-t border-line" {...listeners}>
        {groups.map((group) => (
          <DiagnosisRow key={keyOf(group)} group={group} filter={filter} variant={group === first ? "primary" : "secondary"} {...rest} />
        ))}
      </ul>
    </Section>
  );
}

type RowProps = GroupsProps & { group: Group; variant: "primary" | "secondary" };

function DiagnosisRow({ group, filter, variant, rights, onShow, onOpen }: RowProps) {
  const { code, about, source, count, title, fix, senders, firstAt, lastAt } = group;
  const words = `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
  const name = `${words}, ${source}`;
  const own = { ...filter, source, ...(code !== null && { diagnosis: code }), ...(about !== null && { about }) };
  const row = useKeepFocus<HTMLLIElement>();
  return (
    <li ref={row} data-row className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line py-3 max-[560px]:block">
      {/* On a phone it begins the first line: beside every line it would take a fifth of the width. */}
      <span className="w-14 shrink-0 text-right font-medium tabular-nums max-[560px]:float-left max-[560px]:mr-2 max-[560px]:w-auto">
        {formatNumber(count)}
      </span>
      <div className="flex min-w-0 flex-1 basis-56 flex-col gap-1 max-[560px]:block max-[560px]:space-y-1">
        <p className="break-words font-medium">{words}</p>
        <p className="text-12 text-muted">
          {source}, since <TimeAgo at={firstAt} titled />, last <TimeAgo at={lastAt} titled />,{" "}
          {countWords(senders, "IP address", "IP addresses")}
        </p>
        <p className="max-w-[80ch] text-13">{fix}</p>
        <NotKept group={group} />
      </div>
      {code === null ? null : (
        <div className="flex flex-wrap items-center gap-2 max-rail:w-full max-rail:pl-18 max-[560px]:mt-2 max-[560px]:pl-0">
          <GroupAction group={group} filter={own} variant={variant} rights={rights} onOpen={onOpen} />
          <RowButton aria-label={`Show: ${name}`} onClick={() => onShow(own)}>
            Show
          </RowButton>
          <DismissButton filter={own} label="Dismiss" name={`Dismiss ${formatNumber(count)}: ${name}`} allowed={rights.canDismiss} />
        </div>
      )}
    </li>
  );
}

const mapFields = (source: string) => ({ label: "Map fields", href: `/settings/field-mapping?source=${encodeURIComponent(source)}` });

/** Codes of requests with a valid signature that can't be parsed. */
const UNREADABLE: ReadonlySet<DiagnosisCode | null> = new Set<DiagnosisCode>(["verifies", "verifies_reserialized", "invalid_envelope"]);

function linkOf({ code, about, likelyReal, source }: Group, { mapFields: mappable, canAccept }: GroupRights) {
  if (!likelyReal || code === null) return undefined;
  if (UNREADABLE.has(code)) return mappable.includes(source) ? mapFields(source) : undefined;
  return fixLinkOf({ code, about, source }, canAccept);
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

function GroupAction({ group, filter, variant, rights, onOpen }: GroupActionProps) {
  const { code, about, count, releasable, source } = group;
  const look = { size: "sm", icon: <ShieldCheck />, "aria-haspopup": "dialog" } as const;
  const refused = (label: string, why: string) => (
    <RefusedButton size="sm" icon={look.icon} why={why}>
      {label}
    </RefusedButton>
  );
  const button = (label: string, opened: GroupWindow) => (
    <Button {...look} variant={variant} onClick={() => onOpen(opened)}>
      {label}
    </Button>
  );
  const release = (label: string, late: boolean) =>
    rights.canRelease ? button(label, { kind: "release", filter, late }) : refused(label, NO_RELEASE);
  if (releasable > 0) return release(`Release ${formatNumber(releasable)}`, false);
  if (code === "clock") return release(`Release ${formatNumber(count)} that came late`, true);
  if (code === "secret_retired" && about !== null) {
    const label = `Accept it again for 24 h and release ${formatNumber(count)}`;
    if (rights.canAccept) return button(label, { kind: "accept", group, secret: about });
    return refused(label, "Only owners and admins can accept a retired secret again.");
  }
  const link = linkOf(group, rights);
  if (!link) return null;
  return (
    <LinkButton size="sm" variant={variant} href={link.href} aria-label={`${link.label}: ${source}`}>
      {link.label}
    </LinkButton>
  );
}

const AcceptDialog = overlay<AcceptWindowProps>("dialog", () => import("./release-dialog.tsx").then((module) => module.AcceptWindow));

const ReleaseDialog = overlay<ReleaseWindowProps>("dialog", () => import("./release-dialog.tsx").then((module) => module.ReleaseWindow));

type GroupWindow = ({ kind: "release" } & ReleaseWindowProps) | ({ kind: "accept" } & AcceptWindowProps);

type GroupWindowsProps = { opened: GroupWindow; open: boolean; onOpenChange: (open: boolean) => void };

/** The dialog outlives its row, which is gone as soon as the requests are released. */
function GroupWindows({ opened, ...pane }: GroupWindowsProps) {
  if (opened.kind === "accept") return <AcceptDialog {...pane} group={opened.group} secret={opened.secret} />;
  return <ReleaseDialog {...pane} filter={opened.filter} late={opened.late ?? false} />;
}
