import type { SchemaChoice } from "#lib/client/queries/event-types";
import type { EventTypeDetail } from "#lib/contracts/event-types";

/** The schemas of a type that can be shown: as observed, as pinned, and each version, newest first. */
export const choicesOf = ({ pin, versions }: Pick<EventTypeDetail, "pin" | "versions">): { value: string; label: string }[] => [
  { value: "observed", label: "As observed" },
  ...(pin === null ? [] : [{ value: "pinned", label: pin.file === null ? "As pinned" : `As pinned (${pin.file})` }]),
  ...versions.toSorted((a, b) => b.number - a.number).map(({ number }) => ({ value: String(number), label: `Version ${number}` })),
];

export const choiceOf = (value: string): SchemaChoice => (value === "observed" || value === "pinned" ? value : Number(value));
