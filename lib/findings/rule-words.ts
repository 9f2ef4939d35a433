import type { FindingRule } from "#lib/contracts/findings";

/** What is missing, why that is suspected and what to do, in words for people. */
export const RULE_WORDS: Record<FindingRule, { what: string; why: string; mend: string }> = {
  completed_never_created: {
    what: "A task was completed, but no event ever created it",
    why: "task.completed came more than 5 minutes ago, and no task.created has come for this task.",
    mend: "Look for the missing event in the platform's own log of webhooks and have it sent again.",
  },
  processed_never_uploaded: {
    what: "A document was processed, but no event says that it was uploaded",
    why: "Its processing ended more than 5 minutes ago, and no document.uploaded has come for it.",
    mend: "Look for the missing event in the platform's own log of webhooks and have it sent again.",
  },
  run_without_end: {
    what: "An automation was triggered, but its run has no end",
    why: "automation.triggered came, and for more than 30 minutes neither automation.completed nor automation.error has.",
    mend: "See on the platform whether the run still goes on. If it has ended, have its last event sent again.",
  },
  stage_never_entered: {
    what: "A task left a stage that it never entered",
    why: "pipeline.stage_changed names a stage that the task came from, and no event says that it had come there.",
    mend: "A move before this one is missing. Have the platform send this task's events again.",
  },
  disconnected_yet_working: {
    what: "The platform says that it disconnected, but the access still works",
    why: "integration.disconnected came, and after it the platform renewed the access all the same.",
    mend: "If the access shall end, disconnect it here. If it was connected again, the event of that is missing.",
  },
  source_silent: {
    what: "A source has fallen silent",
    why: "It has sent nothing for much longer than it usually pauses, at an hour at which it usually speaks.",
    mend: "See on the platform whether its webhooks are switched off or fail, and send a test event.",
  },
};
