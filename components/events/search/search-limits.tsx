import { Timer } from "lucide-react";
import { NothingYet } from "#components/ui/layout/content-states";
import { Button } from "#components/ui/primitives/button";
import { useClockWords } from "#components/ui/time-format";
import { compact } from "#lib/client/url-filter";
import type { EventFilter, EventPage } from "#lib/contracts/events/events";
import { backToWords, inPartWords } from "#lib/contracts/events/search-notes";

type SearchTimeoutProps = { filter: EventFilter; onChange: (filter: EventFilter) => void; words: string };

export function SearchTimeout({ filter, onChange, words }: SearchTimeoutProps) {
  const within = (period: "24h" | "7d") => onChange(compact({ ...filter, from: undefined, to: undefined, period }));
  return (
    <NothingYet
      icon={<Timer aria-hidden />}
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

export function SearchNotes({ page: { searchedBackTo, searchedInPart } }: { page: EventPage }) {
  const clockWords = useClockWords(false);
  const backTo = searchedBackTo ? backToWords(searchedBackTo, clockWords(Date.parse(searchedBackTo.at))) : null;
  const inPart = searchedInPart ? inPartWords(searchedInPart) : null;
  return [backTo, inPart].map((words) =>
    words === null ? null : (
      <p key={words} role="status" className="px-3 pb-2 text-12 text-muted">
        {words}
      </p>
    ),
  );
}
