import { useClockWords } from "#components/ui/time/use-exact-time";
import { backToWords, inPartWords } from "#lib/contracts/counts/search-notes";
import type { EventPage } from "#lib/contracts/events/events";

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
