import type { MissingEventResource, MissingEventRule } from "#lib/contracts/missing-events";
import type { ViewRecord } from "#lib/contracts/views";

/** Result of a rule for a resource: nothing is amiss, or something seems to be missing. */
export type RuleResult = { rule: MissingEventRule; resource: MissingEventResource; candidate: Candidate | null };

export type Candidate = {
  /** The ids of the events that raise it. */
  evidence: string[];
  /** Details of this case, in words; empty when the rule has them all. */
  detail: string;
  /** When the platform made what raises it, Unix milliseconds. */
  since: number;
  /** Time after that before it is reported, in milliseconds. */
  patienceMs: number;
};

/** A task's way as its events report it, oldest first. */
export type Move = { eventId: string; fromStage: string | null; stage: string | null; creates: boolean; at: number };

const MINUTE_MS = 60_000;
/** An event that should have come before may still be under way (no order is promised: platform-spec "Ordering"). */
const LATE_MS = 5 * MINUTE_MS;
/** An assumption: a run that has not ended by then is worth a word. */
const RUN_MS = 30 * MINUTE_MS;

/** The kinds of view that have rules. */
export const RULE_KINDS = ["task", "document", "run"] as const;

/**
 * All that the rules say of one view: pure, of the record and its moves alone.
 * Rules without a candidate are returned too: they close an earlier one.
 *
 * @param moves a task's; empty for the other kinds
 */
export function evaluateRules(record: ViewRecord, moves: Move[]): RuleResult[] {
  const { kind, id } = record;
  switch (kind) {
    case "task":
      return [
        { rule: "completed_never_created", resource: { kind, id }, candidate: lacks(record, ["completedAt"], "createdAt") },
        { rule: "stage_never_entered", resource: { kind, id }, candidate: stageNeverEntered(moves) },
      ];
    case "document": {
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

/** One of the later fields is there, the earlier one that must come before is not. */
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

/** Number of stages of one task that are named. */
const MAX_STAGES = 20;

/**
 * Moves left stages that no event says the task had come to: the first move out of each of them. A task whose
 * making names no stage may have begun on any: the first stage that it left
 * then counts as entered.
 */
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
