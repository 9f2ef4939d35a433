import { hostname } from "node:os";
import { answerWords, isFailed, type Result } from "./result.ts";

export function junitXml(results: Result[], targets: string[], seconds: number): string {
  const failures = results.filter(isFailed).length;
  const name = `replay to ${targets.join(" and ")}`;
  const counts = `tests="${results.length}" failures="${failures}" errors="0" time="${seconds.toFixed(3)}"`;
  const timestamp = new Date().toISOString().slice(0, 19);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="signalbox" ${counts}>
  <testsuite name="${xml(name)}" ${counts} skipped="0" timestamp="${timestamp}" hostname="${xml(hostname())}">
${results.map((result) => testCase(result)).join("\n")}
  </testsuite>
</testsuites>
`;
}

function testCase(result: Result): string {
  const seconds = Math.max(...result.answers.map(({ durationMs }) => durationMs)) / 1000;
  const open = `    <testcase classname="${xml(result.type)}" name="${xml(result.id)}" time="${seconds.toFixed(3)}"`;
  if (!isFailed(result)) return `${open}/>`;
  const [first, second] = result.answers;
  const lines = result.differences.map((each) => `${each.path}: ${each.first} | ${each.second}`);
  const message = lines[0] ?? (second ? `no answer: ${answerWords(first)}` : `answered ${answerWords(first)}`);
  return `${open}>
      <failure type="${lines.length > 0 ? "difference" : "answer"}" message="${xml(message)}">${xml(lines.length > 0 ? lines.join("\n") : message)}</failure>
    </testcase>`;
}

/** Replaces the characters that XML 1.0 can't carry. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 section 2.2 has none of them
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;");
