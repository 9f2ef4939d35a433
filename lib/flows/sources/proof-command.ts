import { newId } from "#lib/contracts/api/ids";
import type { Source } from "#lib/contracts/sources/sources";
import { sampleRequest } from "#lib/platform/schemes/sample-request";
import { schemeOf, TEMPLATES } from "#lib/platform/schemes/templates";

const NOT_SHOWN = "YOUR SECRET, AS THE SENDER SENDS IT";

/** Returns a curl command that sends an event as the sender would; empty where only the sender can sign.
 * @param given the secret was entered by a person: it is not shown again */
export function proofCommand({ url, template, scheme: settings, reading }: Source, secret: string, given: boolean, now: Date): string {
  const scheme = schemeOf(template, settings);
  if (scheme.onlySenderSigns?.(secret)) return "";
  const id = newId("evt_test");
  const shown = given ? NOT_SHOWN : secret;
  const { body, headers } = sampleRequest({ template, reading: reading ?? TEMPLATES[template].reading, secret: shown }, id, now);
  const signature = scheme.sign({ body: Buffer.from(body), secret, url, id, now });
  if (given && scheme.secretHeader !== undefined) signature[scheme.secretHeader] = NOT_SHOWN;
  const lines = Object.entries({ ...headers, ...signature }).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`);
  return [`curl -i ${quoted(url)}`, ...lines, `  --data-binary ${quoted(body)}`].join(" \\\n");
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
