"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { Section } from "#components/ui/layout/section";
import { useSteadyOrder } from "#components/ui/lists/use-steady-order";
import { useKeepFocus } from "#components/ui/overlay/use-keep-focus";
import { Button } from "#components/ui/primitives/button";
import { TimeAgo } from "#components/ui/time/time-ago";
import { quarantineDiagnosesQuery } from "#lib/client/queries/quarantine/requests";
import { isEmptyFilter } from "#lib/client/url-filter";
import { countWords, formatNumber } from "#lib/contracts/counts/format-count";
import type { QuarantineCauseFilter } from "#lib/contracts/filters/quarantine-filters";
import type { QuarantineDiagnoses } from "#lib/contracts/quarantine";
import { DismissButton } from "../dismiss-quarantined.tsx";
import { GroupAction, type GroupRights, hasAction } from "./group-action.tsx";
import { type GroupWindow, GroupWindows } from "./group-window.tsx";
import { NotKept } from "./not-kept.tsx";

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
  const { data, isPending, error, refetch } = useQuery(quarantineDiagnosesQuery(filter));
  const { rows: groups, listeners } = useSteadyOrder(data?.data ?? [], keyOf);
  if (isPending) return <LoadingState what="the diagnoses" rows={2} />;
  if (!data) return <ErrorState what="the diagnoses" error={error} onRetry={() => void refetch()} />;
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
    <li ref={row} data-row className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line py-3">
      <span className="w-14 shrink-0 text-right font-medium tabular-nums">{formatNumber(count)}</span>
      <div className="flex min-w-0 flex-1 basis-56 flex-col gap-1">
        <p className="break-words font-medium">{words}</p>
        <p className="text-12 text-muted">
          {source}, since <TimeAgo at={firstAt} titled />, last <TimeAgo at={lastAt} titled />,{" "}
          {countWords(senders, "IP address", "IP addresses")}
        </p>
        <p className="max-w-[80ch] text-13">{fix}</p>
        <NotKept group={group} />
      </div>
      {code === null ? null : (
        <div className="flex flex-wrap items-center gap-2 max-rail:w-full max-rail:pl-18">
          <GroupAction group={group} filter={own} variant={variant} rights={rights} onOpen={onOpen} />
          <Button size="sm" variant="ghost" aria-label={`Show: ${name}`} onClick={() => onShow(own)}>
            Show
          </Button>
          <DismissButton filter={own} label="Dismiss" name={`Dismiss ${formatNumber(count)}: ${name}`} allowed={rights.canDismiss} />
        </div>
      )}
    </li>
  );
}
