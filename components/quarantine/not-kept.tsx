import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { QuarantineDiagnoses } from "#lib/contracts/quarantine";

type NotKeptProps = {
  group: Pick<QuarantineDiagnoses["data"][number], "source" | "rejected" | "kept">;
  advice?: boolean;
};

/** Shows how many requests to the source were rejected in the group's time and not kept; nothing if all were. */
export function NotKept({ group: { source, rejected, kept }, advice = false }: NotKeptProps) {
  if (rejected <= kept) return null;
  return (
    <p className="text-12 text-muted">
      {`${countWords(rejected, "request")} to ${source} ${rejected === 1 ? "was" : "were"} rejected in this time, ${formatNumber(kept)} kept: at most 200 a minute per IP address, and 300 a minute in total.`}
      {advice ? " The rest can't be released: have the sender send them again." : ""}
    </p>
  );
}
