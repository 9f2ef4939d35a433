/** ECMAScript's "JSON.parse source text access", which TypeScript doesn't know yet. */
type ExactJson = {
  parse: (text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown) => unknown;
  rawJSON: (text: string) => unknown;
};
const exact = JSON as unknown as ExactJson;

/**
 * JSON whose numbers `JSON.stringify` writes as they came: an ID of 19 digits, cut out of a list, would be another one.
 *
 * @param body valid JSON
 * @throws RangeError where it is nested too deeply
 */
export const parseExact = (body: Uint8Array): unknown =>
  exact.parse(new TextDecoder().decode(body), (_, value, { source }) => (isChanged(value, source) ? exact.rawJSON(source) : value));

const isChanged = (value: unknown, source: string | undefined): source is string =>
  typeof value === "number" && source !== undefined && String(value) !== source;
