import { TextLink } from "#components/ui/layout/text-link";
import { useNow } from "#components/ui/time/clock";
import { useClockWords } from "#components/ui/time/use-exact-time";
import type { OutageSource } from "#lib/contracts/outages";
import { answeredWords, retryWords } from "./outage-labels.tsx";

export function OutageSourceRow({ source }: { source: OutageSource }) {
  const now = useNow();
  const clockWords = useClockWords(false);
  const { id, name, sender, retriesUntil, retryHours, docsUrl } = source;
  const until = retriesUntil === null ? "" : clockWords(Date.parse(retriesUntil));
  return (
    <li className="flex flex-col gap-1 border-b border-line py-2 last:border-b-0" data-source={id}>
      <p className="flex flex-wrap gap-x-2">
        <TextLink href={`/events?source=${encodeURIComponent(name)}`}>{name}</TextLink>
        <span className="text-muted">{answeredWords(source)}</span>
      </p>
      <p className="text-13 text-muted" suppressHydrationWarning>
        {retryWords(source, until, now)}
        {retryHours === 0 && docsUrl !== null ? (
          <>
            {" "}
            <a href={docsUrl} target="_blank" rel="noreferrer" className="text-accent-text underline underline-offset-2">
              How {sender} redelivers
            </a>
          </>
        ) : null}
      </p>
    </li>
  );
}
