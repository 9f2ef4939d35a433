"use client";

import { useState } from "react";
import { CodeBlock } from "#components/ui/json/code-block";
import { Button } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/time/relative-time";
import { bytesWords } from "#lib/client/format/bytes";
import { formatNumber } from "#lib/contracts/counts/format-count";
import type { EventDetail } from "#lib/contracts/events/events";
import { PayloadTree } from "./payload-tree.tsx";

const LOOKS = [
  ["tree", "Tree"],
  ["raw", "Raw"],
] as const;

/** Shows what was received, as a tree or as raw bytes, and every other body received with the same ID. */
export function PayloadTab({ event }: { event: EventDetail }) {
  const [look, setLook] = useState<"tree" | "raw">("tree");
  const tree = look === "tree" && event.envelope !== null;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-2">
        <div className="flex items-center gap-1">
          {LOOKS.map(([value, label]) => (
            <Button
              key={value}
              size="sm"
              variant={look === value ? "secondary" : "ghost"}
              aria-pressed={look === value}
              onClick={() => setLook(value)}
            >
              {label}
            </Button>
          ))}
          <span className="ml-auto text-12 text-muted">{bytesWords(event.bytes)} as received</span>
        </div>
        {tree ? <PayloadTree key={event.id} value={event.envelope} /> : <RawBody event={event} />}
        {look === "tree" && event.envelope === null ? (
          <p className="text-12 text-muted">The body can't be shown as a tree: it is nested too deeply or isn't JSON.</p>
        ) : null}
      </div>
      {event.conflictBodies.map((body, index) => (
        <div key={`${body.receivedAt} ${body.raw.length}`} className="flex flex-col gap-2">
          <h2 className="text-13 font-medium">
            Conflicting body {index + 1}
            <span className="ml-2 font-normal text-12 text-muted">
              first received <RelativeTime at={body.receivedAt} />
              {body.repeats > 0 ? `, ${formatNumber(body.repeats)} more times since` : ""}
            </span>
          </h2>
          <CodeBlock code={body.raw} label={`conflicting body ${index + 1}`} />
        </div>
      ))}
      {event.conflictBodies.length < event.conflicts ? (
        <p className="text-12 text-muted">
          {`Showing the first ${event.conflictBodies.length} of ${formatNumber(event.conflicts)} conflicting bodies: together they are too large for one page.`}
        </p>
      ) : null}
    </div>
  );
}

function RawBody({ event }: { event: EventDetail }) {
  if (event.raw !== null) return <CodeBlock code={event.raw} label="raw body" />;
  return <CodeBlock code={event.rawBase64 ?? ""} label="raw body in base64" title="Not UTF-8: shown in base64" />;
}
