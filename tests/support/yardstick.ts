import { createHash } from "node:crypto";

/** Milliseconds that one turn took on the machine on which the limits of paces were chosen, with nothing beside it. */
const REFERENCE_MS = 12;
const TURNS = 20;

const VALUE = Array.from({ length: 2000 }, (_, n) => ({ id: `evt_${n}`, type: "document.processed", data: { documentId: `doc_${n}`, n } }));

/** One turn of fixed work of the product's kind: JSON and a hash. */
function turn(): void {
  for (let round = 0; round < 8; round += 1) {
    const text = JSON.stringify(VALUE);
    createHash("sha256").update(text).digest("hex");
    JSON.parse(text);
  }
}

/** Returns how many times slower than that machine this one is at the moment; never less than 1. */
export function measureSlowness(): number {
  turn(); // compiles it
  const since = performance.now();
  for (let n = 0; n < TURNS; n += 1) turn();
  return Math.max(1, (performance.now() - since) / (TURNS * REFERENCE_MS));
}
