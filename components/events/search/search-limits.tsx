import { Timer } from "lucide-react";
import { NothingYet } from "#components/ui/layout/content-states";
import { StateIcon } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { useClockWords } from "#components/ui/time-format";
import { compact } from "#lib/client/url-filter";
import type { UnknownInFilter } from "#lib/contracts/api/parameters";
import type { EventFilter, EventPage } from "#lib/contracts/events/events";
import { backToWords, inPartWords } from "#lib/contracts/events/search-notes";

type SearchTimeoutProps = { filter: EventFilter; onChange: (filter: EventFilter) => void; words: string };

export function SearchTimeout({ filter, onChange, words }: SearchTimeoutProps) {
  const within = (period: "24h" | "7d") => onChange(compact({ ...filter, from: undefined, to: undefined, period }));
  return (
    <NothingYet
      icon={<Timer />}
      title="This search took too long"
      actions={
        <>
          <Button variant="primary" onClick={() => within("24h")}>
            Search the last 24 hours
          </Button>
          <Button onClick={() => within("7d")}>Search the last 7 days</Button>
        </>
      }
    >
      {words}
    </NothingYet>
  );
}

type SearchNotesProps = { page: EventPage; filter: EventFilter; onChange: (filter: EventFilter) => void };

/** Says what a search could not look into, and what of the filter no event has. */
export function SearchNotes({ page: { searchedBackTo, searchedInPart, unknown = [] }, filter, onChange }: SearchNotesProps) {
  const clockWords = useClockWords(false);
  const backTo = searchedBackTo ? backToWords(searchedBackTo, clockWords(Date.parse(searchedBackTo.at))) : null;
  const inPart = searchedInPart ? inPartWords(searchedInPart) : null;
  const notes = [backTo, inPart].filter((words) => words !== null);
  return (
    <>
      {notes.map((words) => (
        <p key={words} role="status" className="px-3 pb-2 text-12 text-muted">
          {words}
        </p>
      ))}
      {unknown.map(({ filter: name, said, nearest, message }) => (
        <p key={message} role="status" className="flex flex-wrap items-center gap-2 px-3 pb-2 text-13">
          <StateIcon state="attention" className="size-4 shrink-0" />
          <span className="min-w-0 break-words">{message.replaceAll("`", "")}</span>
          {nearest === null ? null : (
            <Button size="sm" onClick={() => onChange(corrected(filter, name, said, nearest))}>
              Use {nearest}
            </Button>
          )}
        </p>
      ))}
    </>
  );
}

/** Puts what was meant in place of what was said. */
function corrected(filter: EventFilter, name: UnknownInFilter["filter"], said: string, nearest: string): EventFilter {
  if (name === "type") return { ...filter, type: (filter.type ?? []).map((type) => (type === said ? nearest : type)) };
  return { ...filter, [name]: name === "q" ? filter.q?.replace(said, () => nearest) : nearest };
}
