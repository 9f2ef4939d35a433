import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DIAGNOSIS_VERSION } from "#lib/platform/diagnosis/diagnoses";

/** Hash of the words that diagnoses are made of, whatever their code looks like. */
function hashOfWords(): string {
  const files = ["diagnoses.ts", "scheme-diagnosis.ts", "signature-diagnosis.ts"].map((name) => `lib/platform/diagnosis/${name}`);
  const words = files.flatMap(
    (file) =>
      readFileSync(file, "utf8")
        .replaceAll(/^(import|\} from) .*$/gm, "")
        .match(/"[^"\n]*"|`[^`]*`/g) ?? [],
  );
  return createHash("sha256").update(words.join("\n")).digest("hex").slice(0, 16);
}

/** What this version of the diagnoses was raised for. */
const RAISED_FOR = { version: 4, words: "e24e71fee9a02928" };

it("diagnoses have a new version when they say something else, so that updated installations look again at what is in quarantine", () => {
  expect({ version: DIAGNOSIS_VERSION, words: hashOfWords() }, "raise DIAGNOSIS_VERSION, and write both here").toEqual(RAISED_FOR);
});
