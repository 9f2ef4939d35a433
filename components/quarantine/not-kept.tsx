import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { DiagnosisCode, QuarantineDiagnoses } from "#lib/contracts/quarantine";

type NotKeptProps = {
  group: Pick<QuarantineDiagnoses["data"][number], "code" | "source" | "count" | "rejected" | "kept" | "limited">;
  advice?: boolean;
};

/** Their signature was valid, so they were accepted: each is kept, and none counts as rejected. */
const ACCEPTED: ReadonlySet<DiagnosisCode | null> = new Set(["malformed_json", "invalid_envelope", "readable", "source_paused"]);

/** Shows how many requests to the source were rejected in the group's time and not kept; nothing if all were, or the group has others. */
export function NotKept({ group: { code, source, count, rejected, kept, limited }, advice = false }: NotKeptProps) {
  if (rejected <= kept || ACCEPTED.has(code) || (code === null && count > kept)) return null;
  return (
    <p className="text-12 text-muted">
      {`${countWords(rejected, "request")} to ${source} ${rejected === 1 ? "was" : "were"} rejected in this time, ${formatNumber(kept)} kept. `}
      {`What is answered 413, 415 or 429 is not kept${limited ? LIMITS : ""}.`}
      {advice ? " The rest can't be released: have the sender send them again." : ""}
    </p>
  );
}

const LIMITS = ", and of the others at most 200 a minute per IP address, and 300 or 4 MB a minute in total";
