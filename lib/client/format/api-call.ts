import type { ApiOperation } from "#lib/contracts/api/openapi";

export type ApiCall = { method: string; path: string; headers: [name: string, value: string][]; body: string | null };

export type CallValues = { parameters: Record<string, string>; body: string | null };

export function exampleValues({ parameters, requestBody }: Pick<ApiOperation, "parameters" | "requestBody">): CallValues {
  const example = requestBody?.content["application/json"]?.example;
  const given = parameters.filter((parameter) => parameter.example !== undefined);
  return {
    parameters: Object.fromEntries(given.map((parameter) => [parameter.name, [parameter.example].flat().join(",")])),
    body: requestBody === undefined ? null : JSON.stringify(example ?? {}, null, 2),
  };
}

/** Returns the call with these values, without empty ones. A list's values are separated by commas and become a parameter each. */
export function callOf(method: string, path: string, operation: Pick<ApiOperation, "parameters">, values: CallValues): ApiCall {
  const query = new URLSearchParams();
  const headers: ApiCall["headers"] = [];
  let filled = path;
  for (const { name, in: where, schema } of operation.parameters) {
    const value = values.parameters[name] ?? "";
    if (value === "") continue;
    if (where === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (where === "header") headers.push([name, value]);
    else for (const each of schema.type === "array" ? value.split(",") : [value]) query.append(name, each.trim());
  }
  return { method: method.toUpperCase(), path: query.size === 0 ? filled : `${filled}?${query}`, headers, body: values.body };
}

export const CALL_LANGUAGES = [
  { value: "curl", label: "curl" },
  { value: "typescript", label: "TypeScript" },
  { value: "python", label: "Python" },
] as const;
export type CallLanguage = (typeof CALL_LANGUAGES)[number]["value"];

/** Returns the call as code that reads the API key from SIGNALBOX_KEY and needs no libraries. */
export const callCode = (language: CallLanguage, origin: string, call: ApiCall): string => WRITERS[language](origin + call.path, call);

const JSON_TYPE: [string, string] = ["Content-Type", "application/json"];
const headersOf = ({ headers, body }: ApiCall) => (body === null ? headers : [...headers, JSON_TYPE]);
const inShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const WRITERS: Record<CallLanguage, (url: string, call: ApiCall) => string> = {
  curl: (url, call) =>
    [
      `curl${call.method === "GET" ? "" : ` -X ${call.method}`} ${inShell(url)}`,
      `  -H "Authorization: Bearer $SIGNALBOX_KEY"`,
      ...headersOf(call).map(([name, value]) => `  -H ${inShell(`${name}: ${value}`)}`),
      ...(call.body === null ? [] : [`  -d ${inShell(call.body)}`]),
    ].join(" \\\n"),
  // JSON is valid TypeScript, and a JSON string is valid Python.
  typescript: (url, call) =>
    [
      'import { env } from "node:process";',
      "",
      `const response = await fetch(${JSON.stringify(url)}, {`,
      ...(call.method === "GET" ? [] : [`  method: "${call.method}",`]),
      "  headers: {",
      `    Authorization: "Bearer " + env.SIGNALBOX_KEY,`,
      ...headersOf(call).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
      "  },",
      ...(call.body === null ? [] : [`  body: JSON.stringify(${call.body.replaceAll("\n", "\n  ")}),`]),
      "});",
      "console.log(response.status, await response.text());",
    ].join("\n"),
  python: (url, call) =>
    [
      "import os",
      "from urllib.request import Request, urlopen",
      "",
      "request = Request(",
      `    ${JSON.stringify(url)},`,
      `    method="${call.method}",`,
      "    headers={",
      `        "Authorization": f"Bearer {os.environ['SIGNALBOX_KEY']}",`,
      ...headersOf(call).map(([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
      "    },",
      ...(call.body === null ? [] : [`    data=${JSON.stringify(call.body)}.encode(),`]),
      ")",
      "print(urlopen(request).read().decode())",
    ].join("\n"),
};
