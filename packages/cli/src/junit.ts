import { hostname } from "node:os";

/** A test case; without `failure` it passed. */
export type JunitCase = { classname: string; name: string; seconds: number; failure?: { type: string; message: string; text: string } };

/** Returns a file that CI systems show: one suite with its cases. */
export function junitFile(suite: string, cases: JunitCase[], seconds: number): string {
  const failures = cases.filter(({ failure }) => failure).length;
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" time="${seconds.toFixed(3)}"`;
  const timestamp = new Date().toISOString().slice(0, 19);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="signalbox" ${counts}>
  <testsuite name="${xml(suite)}" ${counts} skipped="0" timestamp="${timestamp}" hostname="${xml(hostname())}">
${cases.map((each) => testCase(each)).join("\n")}
  </testsuite>
</testsuites>
`;
}

function testCase({ classname, name, seconds, failure }: JunitCase): string {
  const open = `    <testcase classname="${xml(classname)}" name="${xml(name)}" time="${seconds.toFixed(3)}"`;
  if (!failure) return `${open}/>`;
  return `${open}>
      <failure type="${xml(failure.type)}" message="${xml(failure.message)}">${xml(failure.text)}</failure>
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
