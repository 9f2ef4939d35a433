import type { SandboxFault, SandboxScenario, SenderFault } from "#lib/contracts/sandbox";

export const SCENARIO_LABELS: Record<SandboxScenario, { label: string; hint: string }> = {
  document_to_done: {
    label: "Document from upload to completion",
    hint: "11 events: uploaded, processed, task created, moved through a pipeline, completed",
  },
  document_fails: { label: "Document that can't be processed", hint: "2 events: uploaded, failed" },
  automation_run: { label: "Automation that succeeds", hint: "2 events: triggered, completed" },
  automation_fails: { label: "Automation that fails", hint: "2 events: triggered, failed" },
  integration_lifecycle: { label: "Integration lifecycle", hint: "4 events: connected, refreshed, failed, disconnected" },
};

export const FAULT_LABELS: Record<SandboxFault, { label: string; expect: string }> = {
  wrong_signature: { label: "Wrong signature", expect: "Signed with a different secret: rejected with 401 and quarantined." },
  stale_signature: {
    label: "Stale signature",
    expect: "Signed with the previous secret: rejected with 401, and the diagnosis says so.",
  },
  no_signature: { label: "No signature", expect: "Sent without the header: rejected with 401 and quarantined." },
  malformed: { label: "Malformed", expect: "Signed, but not a valid event: answered 202 and quarantined." },
  duplicate: { label: "Duplicate", expect: "The same event three times: stored once, with two duplicates." },
  disorder: { label: "Out of order", expect: "An older event after a newer one: the newer one wins." },
  unknown_type: { label: "Unknown type", expect: "An unknown type: stored and marked unrecognised." },
  missing_ids: { label: "Missing IDs", expect: "No resource IDs: stored, then fails when applied." },
  delay: { label: "Delay", expect: "Sent 10 seconds after it was created." },
  burst: { label: "Burst", expect: "100 events at once: each stored exactly once." },
};

export const SENDER_FAULT_LABELS: Record<SenderFault, { label: string; hint: string }> = {
  wrong_signature: { label: "Wrong signature", hint: "signed with another secret: 401, quarantined" },
  retired_secret: { label: "Retired secret", hint: "signed with the previous secret: 401, and the diagnosis says so" },
  no_signature: { label: "No signature", hint: "sent without a signature or token: 401, quarantined" },
  clock_off: { label: "Clock 10 minutes off", hint: "stored and marked late, or quarantined" },
  re_encoded: { label: "Body re-encoded", hint: "changed as a proxy would: 401, where the body is signed" },
  wrong_url: { label: "Another URL", hint: "signed for http in place of https: 401, where the URL is signed" },
  malformed: { label: "Malformed", hint: "signed, but not JSON: 202, quarantined" },
  duplicate: { label: "Duplicate", hint: "three times: stored once" },
};
