import type { MissingEventResource, MissingEventRule } from "#lib/contracts/missing-events";
import type { ViewRecord } from "#lib/contracts/views";

/** `candidate`: null when nothing seems to be missing. */
export type RuleResult = { rule: MissingEventRule; resource: MissingEventResource; candidate: Candidate | null };

export type Candidate = {
  /** IDs of the events that raise it. */
  evidence: string[];
  /** Details of this case in words; empty when the rule says everything. */
  detail: string;
  /** The platform's time of the evidence, Unix milliseconds. */
  since: number;
  /** Time after `since` before it is reported, in milliseconds. */
  patienceMs: number;
};

export type Move = { eventId: string; fromStage: string | null; stage: string | null; creates: boolean; at: number };

const MINUTE_MS = 60_000;
/** An event that should have come before may still be under way: no order is promised (docs/platform.md, "Ordering"). */
const LATE_MS = 5 * MINUTE_MS;
/** An assumption: few runs take longer. */
const RUN_MS = 30 * MINUTE_MS;

export const RULE_KINDS = ["task", "document", "run"] as const;

/** Evaluates all rules of a record. Rules without a candidate are returned too: they close an earlier one. */
export function evaluateRules(record: ViewRecord, moves: Move[]): RuleResult[] {
  const { kind, id } = record;
  switch (kind) {
    case "task":
      return [
        { rule: "completed_never_created", resource: { kind, id }, candidate: lacks(record, ["completedAt"], "createdAt") },
        { rule: "stage_never_entered", resource: { kind, id }, candidate: stageNeverEntered(moves) },
      ];
    case "document": {
      if (record.fields.source) return []; // another platform's, with another life
      const candidate = lacks(record, ["processedAt", "failedAt"], "uploadedAt");
      return [{ rule: "processed_never_uploaded", resource: { kind, id }, candidate }];
    }
    case "run":
      return [{ rule: "run_without_end", resource: { kind, id }, candidate: withoutEnd(record) }];
    case "pipeline":
    case "automation":
    case "integration":
    case "record":
      return [];
  }
}

/** Finds one of the later fields without the earlier one that must come before. */
function lacks({ fields }: ViewRecord, later: string[], earlier: string): Candidate | null {
  if (fields[earlier]) return null;
  const evidence = later.flatMap((name) => fields[name] ?? []);
  const [first] = evidence;
  return first ? { evidence: evidence.map(({ eventId }) => eventId), detail: "", since: Date.parse(first.at), patienceMs: LATE_MS } : null;
}

function withoutEnd({ state, fields }: ViewRecord): Candidate | null {
  const started = fields.startedAt;
  if (state !== "running" || !started) return null;
  return { evidence: [started.eventId], detail: "", since: Date.parse(started.at), patienceMs: RUN_MS };
}

const MAX_STAGES = 20;

/** Finds stages that were left and never entered. A task created without a stage may have begun on the first one it left. */
function stageNeverEntered(moves: Move[]): Candidate | null {
  const entered = new Set(moves.map(({ stage }) => stage));
  const silentMaking = moves.some(({ creates, stage }) => creates && stage === null);
  const left = moves.filter(({ creates, fromStage }) => !creates && fromStage !== null);
  if (silentMaking) entered.add(left[0]?.fromStage ?? null);
  const missing = new Map<string | null, Move>();
  for (const move of left)
    if (!entered.has(move.fromStage) && !missing.has(move.fromStage) && missing.size < MAX_STAGES) missing.set(move.fromStage, move);
  const [first] = missing.values();
  if (!first) return null;
  const names = [...missing.keys()].map((stage) => `“${stage}”`);
  return {
    evidence: [...missing.values()].map(({ eventId }) => eventId),
    detail: `The ${names.length === 1 ? "stage is" : "stages are"} ${new Intl.ListFormat("en").format(names)}.`,
    since: first.at * 1000,
    patienceMs: LATE_MS,
  };
}
