import { useInfiniteQuery } from "@tanstack/react-query";
import { LoadOlder, paged } from "#components/ui/lists/paging";
import { Timeline } from "#components/ui/lists/timeline";
import { RelativeTime } from "#components/ui/relative-time";
import { schemaHistoryQuery } from "#lib/client/queries/event-types";
import type { SchemaChange } from "#lib/contracts/event-types";
import { CHANGE_WORDS } from "./event-type-labels.tsx";
import { PlaceLink } from "./field-details.tsx";

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
