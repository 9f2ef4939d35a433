"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { useMemo } from "react";
import { OperationProgress } from "#components/records/operation-progress";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { tellOutcome } from "#components/ui/feedback/toast";
import { withFallback } from "#components/ui/layout/content-states";
import { PageHeader } from "#components/ui/layout/page-header";
import { Tabs } from "#components/ui/layout/tabs";
import { LoadOlder, paged } from "#components/ui/lists/paging";
import { Timeline } from "#components/ui/lists/timeline";
import { useUrlParameter } from "#components/ui/lists/use-page-query";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { IconButton } from "#components/ui/primitives/icon-button";
import { TextLink } from "#components/ui/primitives/page-link";
import { RelativeTime } from "#components/ui/relative-time";
import { eventTypeQuery, fieldSchemaQuery, schemaHistoryQuery, useEventTypeActions } from "#lib/client/queries/event-types";
import { visible } from "#lib/contracts/api/plain-text";
import type { EventTypeDetail, SchemaChange } from "#lib/contracts/event-types";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import { isUnderWay } from "#lib/contracts/operation-states";
import { differencesOf, documentedFields, isUndocumented } from "#lib/contracts/schemas/differences";
import { readDocument } from "#lib/contracts/schemas/document";
import type { FieldSchema } from "#lib/contracts/schemas/field-schema";
import { DriftList } from "./drift-list.tsx";
import { CHANGE_WORDS, DriftBadge, EventTypeBadge, fieldsIn } from "./event-type-labels.tsx";
import { PlaceLink } from "./field-details.tsx";
import { FieldTree } from "./field-tree.tsx";
import { SchemaCode, SchemaVersions } from "./schema-versions.tsx";

type EventTypePageProps = { id: string; canManage: boolean };

export function EventTypePage({ id, canManage }: EventTypePageProps) {
  const { data: detail, fallback } = withFallback(useQuery(eventTypeQuery(id)), {
    what: "this event type",
    loading: "the event type",
    rows: 10,
  });
  const [tab, setTab] = useUrlParameter("tab", "fields");
  if (!detail) return fallback;
  const items = [
    { value: "fields", label: "Fields", content: <Fields detail={detail} canManage={canManage} /> },
    { value: "history", label: "History", content: <SchemaHistory id={id} /> },
    {
      value: "versions",
      label: "Versions",
      count: detail.versions.length,
      content: <SchemaVersions detail={detail} canManage={canManage} />,
    },
    { value: "types", label: "Types", content: <SchemaCode detail={detail} /> },
  ];
  // The tab comes from the URL and may be mistyped.
  const shown = items.some(({ value }) => value === tab) ? tab : "fields";
  return (
    <div className="flex flex-col gap-5">
      <PageHeader
        title={<span className="break-all">{visible(detail.type)}</span>}
        meta={
          <span className="flex flex-wrap items-center gap-1.5">
            <DriftBadge drift={detail.drift} />
            <EventTypeBadge type={detail} />
          </span>
        }
        description={<Summary detail={detail} />}
        actions={canManage ? <Actions detail={detail} /> : undefined}
      />
      {detail.relearn && (isUnderWay(detail.relearn) || detail.relearn.state === "failed") ? (
        <OperationProgress operation={detail.relearn} allowed={canManage} unit={["event", "events"]} />
      ) : null}
      {detail.state === "not_learnt" ? (
        <ProblemNotice
          tone="attention"
          what="The fields of this type are not learnt."
          why="This workspace has 500 other event types, which is the most that are learnt."
          fix="Archive sources that you no longer need, or ask their senders for fewer types."
        />
      ) : null}
      <DriftList detail={detail} canManage={canManage} />
      <Tabs label="About this event type" value={shown} onValueChange={setTab} items={items} />
    </div>
  );
}

function Summary({ detail }: { detail: EventTypeDetail }) {
  const { title, type, source, events, lastEventAt } = detail;
  return (
    <>
      {title === type ? "" : `${title}. `}
      {`From ${source ?? "an unknown source"}: `}
      <TextLink href={eventsHref(detail)}>{countWords(events, "event")}</TextLink>
      {`, ${countWords(fieldsIn(detail), "field")}.`}
      {lastEventAt === null ? null : (
        <>
          {" Last received "}
          <RelativeTime at={lastEventAt} />.
        </>
      )}
    </>
  );
}

const eventsHref = ({ type, source }: EventTypeDetail): string =>
  `/events?${new URLSearchParams([["type", type], ...(source === null ? [] : [["source", source]])])}`;

function Actions({ detail }: { detail: EventTypeDetail }) {
  const { publish, relearn, pin } = useEventTypeActions(detail.id);
  const running = detail.relearn !== null && isUnderWay(detail.relearn);
  return (
    <DropdownMenu
      label="Actions"
      trigger={<IconButton label="Actions" icon={<Ellipsis />} variant="secondary" />}
      entries={[
        {
          label: "Publish a version",
          onSelect: () => tellOutcome(publish.mutateAsync(undefined), "Published", "Couldn't publish the version"),
        },
        detail.pin !== null && {
          label: "End the pin",
          onSelect: () => tellOutcome(pin.mutateAsync({ pinned: false }), "The pin has ended", "Couldn't end the pin"),
        },
        !running && {
          label: "Learn again from the log",
          onSelect: () => tellOutcome(relearn.mutateAsync(undefined), "Learning again from the log", "Couldn't start"),
        },
      ]}
    />
  );
}

/** What is documented: the pinned file, else the platform's own documentation. */
function Fields({ detail, canManage }: { detail: EventTypeDetail; canManage: boolean }) {
  const fromFile = detail.pin !== null && detail.pin.version === null;
  const { data: pinned } = useQuery({ ...fieldSchemaQuery(detail.id, "pinned"), enabled: fromFile });
  const schema = useMemo(() => (fromFile ? pinned : documentedSchema(detail.dataSchema)), [fromFile, pinned, detail.dataSchema]);
  const documented = useMemo(() => documentedFields(schema ?? {}, detail.tree), [schema, detail.tree]);
  const differences = useMemo(
    () => (schema ? differencesOf(schema, detail.tree).filter((each) => !isUndocumented(each)) : []),
    [schema, detail.tree],
  );
  const differing = new Map<string, string[]>();
  for (const { path, expected, observed, kind, count } of differences) {
    const words = `Documented as ${expected}, ${kind === "absent" ? observed : `seen ${observed} ${count === 1 ? "once" : `${formatNumber(count)} times`}`}`;
    differing.set(path, [...(differing.get(path) ?? []), words]);
  }
  return (
    <div className="flex flex-col gap-4">
      {differences.length === 0 ? null : (
        <ProblemNotice
          tone="attention"
          what={`Events differ from ${fromFile ? (detail.pin?.file ?? "the pinned schema") : "the documentation"} in ${countWords(differences.length, "place")}.`}
          why={[...differing].slice(0, MAX_TOLD).map(([path, words]) => (
            <span key={path} className="block">
              <span className="break-all font-mono text-12 text-text">{visible(path)}</span> {lowered(words.join("; "))}
            </span>
          ))}
          {...(differing.size > MAX_TOLD && { fix: `And ${countWords(differing.size - MAX_TOLD, "other field")}, marked below.` })}
        />
      )}
      <FieldTree detail={detail} documented={documented} differing={differing} canManage={canManage} />
    </div>
  );
}

const MAX_TOLD = 5;

const lowered = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

function documentedSchema(document: unknown): FieldSchema | undefined {
  if (document === null) return undefined;
  const read = readDocument(document);
  return read.outcome === "documented" ? read.schema : undefined;
}

/** What the schema saw for the first time, and what people did, newest first. */
export function SchemaHistory({ id }: { id: string }) {
  const query = useInfiniteQuery(schemaHistoryQuery(id));
  const { rows: changes, fallback } = paged(query, { what: "the history", rows: 6 });
  if (changes.length === 0)
    return fallback ?? <p className="text-13 text-muted">Nothing has changed since this type was first received.</p>;
  return (
    <>
      <Timeline label="Changes, newest first" items={changes.map(itemOf)} />
      <LoadOlder query={query} className="mt-3" />
    </>
  );
}

function itemOf({ id, at, kind, path, detail, event, by }: SchemaChange) {
  const { state, words } = CHANGE_WORDS[kind];
  return {
    key: id,
    state,
    title: <span className="break-words">{words(path ?? "", detail ?? "")}</span>,
    at: <RelativeTime at={at} />,
    ...((event !== null || by !== null) && {
      detail: (
        <span className="text-12">
          {event === null ? null : (
            <>
              First event <PlaceLink place={event} />
            </>
          )}
          {by === null ? null : `${event === null ? "" : ", "}by ${by}`}
        </span>
      ),
    }),
  };
}
