import type { EventFilter } from "#lib/contracts/events/events";

/** A number below `events` for each run, spread over all of them and the same each time. */
export const spread = (events: number, run: number): number => Math.floor((events * ((run * 7919) % 10_007)) / 10_007);

/**
 * Questions that people ask of a log which `fillLog` has filled: its filters, and searches for what is rare and what is frequent.
 *
 * @param log the filling's name
 * @param events how many it made
 * @returns the filter of each question, for each time that it is asked
 */
export function questionsOf(log: string, events: number): Record<string, (run: number) => EventFilter> {
  const any = (run: number) => spread(events, run);
  const scenario = (run: number) => Math.floor(any(run) / 5);
  return {
    "id: an event's": (run) => ({ q: `evt_${log}_${any(run)}` }),
    "id: a document's": (run) => ({ q: `doc_${log}_${scenario(run)}` }),
    "type: frequent": () => ({ type: ["document.processed"] }),
    "type: rare": () => ({ type: ["automation.error"] }),
    "type: three of them": () => ({ type: ["automation.error", "document.error", "task.completed"] }),
    "resource: a document": (run) => ({ resource: `document:doc_${log}_${scenario(run)}` }),
    "resource and type": (run) => ({ resource: `doc_${log}_${scenario(run)}`, type: ["task.completed"] }),
    "text: a word in every event": () => ({ q: "invoice" }),
    "text: a word in one of 997": (run) => ({ q: `invoice data.metadata.supplier:"Supplier ${any(run) % 997}"` }),
    "text: a value in 1 of 400": () => ({ q: "data.status:failed" }),
    "text: words of a sentence": () => ({ q: "scan too dark" }),
    "text: a word in one scenario": (run) => ({ q: `data.fileName:"Invoice ${scenario(run)}.pdf"` }),
    "text: the start of a word": () => ({ q: "supp" }),
    "text: nothing has it": () => ({ q: "nonesuch" }),
    "text: frequent, old months": () => ({ q: "data.status:completed", to: new Date(Date.now() - 20 * 86_400_000).toISOString() }),
    "text: frequent, failed": () => ({ q: "invoice", state: ["failed"] }),
    "text: 3 in 5, a document": (run) => ({ q: "review", resource: `document:doc_${log}_${scenario(run)}` }),
    "text: frequent, rare type": () => ({ q: "invoice", type: ["automation.error"] }),
  };
}
