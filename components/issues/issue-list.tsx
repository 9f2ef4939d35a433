"use client";

import { useState } from "react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { useSteadyOrder } from "#components/ui/lists/use-steady-order";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { countWords, formatNumber } from "#lib/contracts/counts/format-count";
import type { Issue } from "#lib/contracts/issues";
import { groupsOf, type IssueGroup } from "./issue-groups.tsx";
import { IssueRow } from "./issue-row.tsx";
import type { IssueRights } from "./root-causes.tsx";

const IssueSelectionBar = lazyComponent(() => import("./issue-selection-bar.tsx").then((module) => module.IssueSelectionBar));

type IssueListProps = {
  issues: Issue[];
  ownId: string | null;
  group: IssueGroup;
  beside: boolean;
  rights: IssueRights;
};

export function IssueList({ issues, ownId, group, beside, rights }: IssueListProps) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const { rows, listeners } = useSteadyOrder(issues, ({ id }) => id);
  const selected = rows.filter(({ id }) => ticked.has(id));
  const tick = (ids: string[], on: boolean) => {
    const next = new Set(selected.map(({ id }) => id));
    for (const id of ids)
      if (on) next.add(id);
      else next.delete(id);
    setTicked(next);
  };
  const all = rows.map(({ id }) => id);
  return (
    <>
      {beside ? <h2 className="mb-2 text-14 font-medium">Other issues</h2> : null}
      {rights.manage ? (
        <div className="border-t border-line px-3 py-2">
          <Checkbox
            checked={selected.length === 0 ? false : selected.length === rows.length ? true : "indeterminate"}
            onCheckedChange={(on) => tick(all, on)}
          >
            <span className="text-12 text-muted">{`Select ${countWords(rows.length, "issue")}`}</span>
          </Checkbox>
        </div>
      ) : null}
      <div {...listeners}>
        {groupsOf(rows, group).map(({ heading, issues: inGroup }) => (
          <section key={heading ?? inGroup[0]?.id} aria-label={heading ?? "Issues"}>
            {heading === null ? null : (
              <h3 className="break-words border-t border-line bg-sunken px-3 py-1.5 text-12 font-medium">
                {heading} <span className="font-normal text-muted tabular-nums">{formatNumber(inGroup.length)}</span>
              </h3>
            )}
            <ul aria-label={heading === null ? "Issues" : `Issues: ${heading}`} className="border-t border-line">
              {inGroup.map((issue) => (
                <IssueRow
                  key={issue.id}
                  issue={issue}
                  canManage={rights.manage}
                  ticked={ticked.has(issue.id)}
                  onTick={(on) => tick([issue.id], on)}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {selected.length > 0 ? (
        <IssueSelectionBar selected={selected} ownId={ownId} canSnooze={rights.snooze} onDone={() => setTicked(new Set())} />
      ) : null}
    </>
  );
}
