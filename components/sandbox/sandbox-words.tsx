import type { SandboxFault, SandboxStory } from "#lib/contracts/sandbox";

/** The sandbox's stories and faults in words. */

export const STORY_WORDS: Record<SandboxStory, { label: string; hint: string }> = {
  document_to_done: { label: "A document, from upload to done", hint: "11 events: read, made a task, moved through a pipeline, completed" },
  document_fails: { label: "A document that can't be read", hint: "2 events: uploaded, failed" },
  automation_run: { label: "An automation that runs", hint: "2 events: triggered, completed" },
  automation_fails: { label: "An automation that fails", hint: "2 events: triggered, failed" },
  integration_life: { label: "The life of an integration", hint: "4 events: connected, refreshed, failed, disconnected" },
};

export const FAULT_WORDS: Record<SandboxFault, { label: string; expect: string }> = {
  wrong_signature: { label: "Wrong signature", expect: "Signed with another secret: refused with 401, kept in quarantine." },
  stale_signature: {
    label: "Stale signature",
    expect: "Signed with the secret before the last change: refused, and the diagnosis says so.",
  },
  no_signature: { label: "No signature", expect: "The header is left out: refused with 401, kept in quarantine." },
  malformed: { label: "Malformed", expect: "Signed, but not an envelope: 202, kept in quarantine." },
  duplicate: { label: "Duplicate", expect: "The same event three times: stored once, counted twice more." },
  disorder: { label: "Disorder", expect: "An older event after a newer one: the newer one stands." },
  unknown_type: { label: "Unknown type", expect: "A type nobody knows: stored, marked unrecognised." },
  missing_ids: { label: "Missing ids", expect: "Nothing says what it is about: stored, and fails when applied." },
  delay: { label: "Delay", expect: "Sent 10 seconds after it was created." },
  burst: { label: "Burst", expect: "100 events at once: all stored, none twice." },
};

/** "1 webhook", "100 webhooks". */
export const webhookCount = (count: number): string => `${count} webhook${count === 1 ? "" : "s"}`;
