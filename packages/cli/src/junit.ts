import { hostname } from "node:os";

/** A test case; without `failure` or `skipped`, which says why, it passed. */
export type JunitCase = {
  classname: string;
  name: string;
  seconds: number;
  failure?: { type: string; message: string; text: string };
  skipped?: string;
};

/** Returns a file that CI systems show: one suite with its cases. */
export function junitFile(suite: string, cases: JunitCase[], seconds: number): string {
  const failures = cases.filter(({ failure }) => failure).length;
  const skipped = cases.filter((each) => each.skipped !== undefined).length;
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${seconds.toFixed(3)}"`;
  const timestamp = new Date().toISOString().slice(0, 19);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="signalbox" ${counts}>
  <testsuite name="${xml(suite)}" ${counts} timestamp="${timestamp}" hostname="${xml(hostname())}">
${cases.map((each) => testCase(each)).join("\n")}
  </testsuite>
</testsuites>
`;
}

function testCase({ classname, name, seconds, failure, skipped }: JunitCase): string {
  const open = `    <testcase classname="${xml(classname)}" name="${xml(name)}" time="${seconds.toFixed(3)}"`;
  if (skipped !== undefined) return `${open}><skipped message="${xml(skipped)}"/></testcase>`;
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
