import { Check } from "lucide-react";
import { useState } from "react";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { tellFailure, tellOutcome, toast } from "#components/ui/feedback/toast";
import { Section } from "#components/ui/layout/section";
import { StateBadge } from "#components/ui/primitives/badge";
import { Button, RowButton } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { RelativeTime } from "#components/ui/relative-time";
import { useEventTypeActions } from "#lib/client/queries/event-types";
import type { EventTypeDetail, SchemaDrift, SchemaPin } from "#lib/contracts/event-types";
import { countWords } from "#lib/contracts/format-count";
import { DRIFT_WORDS, SEVERITIES } from "./event-type-labels.tsx";
import { PlaceLink } from "./field-details.tsx";

const ChangeDialog = lazyComponent(() => import("#components/records/compare-dialog").then((module) => module.ChangeDialog));

type DriftListProps = { detail: EventTypeDetail; canManage: boolean };

/** What is not as it was, worst first, with what can be done about it. Nothing while all is as it was. */
export function DriftList({ detail, canManage }: DriftListProps) {
  const { accept } = useEventTypeActions(detail.id);
  const open = detail.drifts.filter(({ state }) => state === "open").sort((a, b) => RANKS[a.severity] - RANKS[b.severity]);
  const violations = detail.pin?.violations ?? [];
  if (open.length === 0 && violations.length === 0) return null;
  const acceptAll = () =>
    tellOutcome(
      accept.mutateAsync(undefined),
      () => toast.success("Accepted", { description: "The schema has a new version." }),
      "Couldn't accept the drift",
    );
  return (
    <>
      {open.length === 0 ? null : (
        <Section
          title="Drift"
          description="Events are no longer as they were. If the sender changed them on purpose, accept it; if not, tell the sender."
          actions={
            canManage ? (
              <Button variant="primary" icon={<Check />} loading={accept.isPending} onClick={acceptAll}>
                This is how it is now
              </Button>
            ) : undefined
          }
        >
          <ul className="divide-y divide-line border-y border-line">
            {open.map((drift) => (
              <DriftRow key={drift.id} drift={drift} typeId={detail.id} canManage={canManage} />
            ))}
          </ul>
        </Section>
      )}
      {violations.length === 0 ? null : <Violations violations={violations} />}
    </>
  );
}

/** The size of bodies and the number of events are the type's, not a field's. */
const isOfType = ({ path }: SchemaDrift): boolean => path === "data";

const RANKS = { breaking: 0, warning: 1, info: 2 };

function DriftRow({ drift, typeId, canManage }: { drift: SchemaDrift; typeId: string; canManage: boolean }) {
  const { accept, change } = useEventTypeActions(typeId);
  const { state, word } = SEVERITIES[drift.severity];
  const failed = "Couldn't change the drift";
  return (
    <li data-row className="flex flex-wrap items-start gap-x-3 gap-y-1.5 py-2.5 text-13">
      <StateBadge state={state}>{word}</StateBadge>
      <div className="min-w-0 flex-1 basis-72">
        <p className="break-words">
          {isOfType(drift) ? null : <span className="break-all font-mono text-12 font-medium">{drift.path} </span>}
          {DRIFT_WORDS[drift.kind]}
        </p>
        <p className="break-words text-muted">{`Expected ${drift.expected}; observed ${drift.observed}.`}</p>
        <p className="text-12 text-muted">
          {drift.firstEvent === null ? (
            <>
              Since <RelativeTime at={drift.openedAt} />
            </>
          ) : (
            <>
              First event <PlaceLink place={drift.firstEvent} />
            </>
          )}
          {drift.lastGoodEvent === null ? null : (
            <>
              , last as before <PlaceLink place={drift.lastGoodEvent} />
            </>
          )}
          {drift.issueId === null ? null : (
            <>
              {" · "}
              <TextLink href={`/issues/${encodeURIComponent(drift.issueId)}`}>View issue</TextLink>
            </>
          )}
        </p>
      </div>
      <CompareEvents drift={drift} />
      {canManage ? (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" disabled={accept.isPending} onClick={() => tellFailure(accept.mutateAsync([drift.id]), failed)}>
            Accept
          </Button>
          {isOfType(drift) ? null : (
            <RowButton
              disabled={change.isPending}
              onClick={() => tellFailure(change.mutateAsync({ path: drift.path, ignored: true }), failed)}
            >
              Ignore field
            </RowButton>
          )}
        </div>
      ) : null}
    </li>
  );
}

function CompareEvents({ drift: { firstEvent, lastGoodEvent, path } }: { drift: SchemaDrift }) {
  const [open, setOpen] = useState(false);
  if (firstEvent === null || lastGoodEvent === null) return null;
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        Compare events
      </Button>
      {open ? <ChangeDialog before={lastGoodEvent.id} after={firstEvent.id} path={path} open onOpenChange={setOpen} /> : null}
    </>
  );
}

function Violations({ violations }: { violations: SchemaPin["violations"] }) {
  return (
    <Section title="Not as pinned" description={`The pinned schema is strict: ${countWords(violations.length, "deviation")} so far.`}>
      <ul className="divide-y divide-line border-y border-line">
        {violations.map(({ path, expected, observed, count, firstEvent }) => (
          <li data-row key={`${path} ${observed}`} className="flex flex-wrap items-start gap-x-3 gap-y-1.5 py-2.5 text-13">
            <StateBadge state="failed">{countWords(count, "event")}</StateBadge>
            <div className="min-w-0 flex-1 basis-72">
              <p className="break-all font-mono text-12 font-medium">{path}</p>
              <p className="break-words text-muted">{`Pinned as ${expected}; observed ${observed}.`}</p>
              {firstEvent === null ? null : (
                <p className="text-12 text-muted">
                  First event <PlaceLink place={firstEvent} />
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
