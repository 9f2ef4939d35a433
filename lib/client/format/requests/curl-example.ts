import type { ApiOperation } from "#lib/contracts/api/openapi";

/** A working call of the operation, as a command for a POSIX shell. */
export function curlExample(origin: string, method: string, path: string, operation: ApiOperation): string {
  const given = operation.parameters.filter(({ example }) => example !== undefined);
  const urlPath = given
    .filter((parameter) => parameter.in === "path")
    .reduce((text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))), path);
  const query = new URLSearchParams();
  for (const { name, example } of given.filter((parameter) => parameter.in === "query"))
    for (const value of [example].flat()) query.append(name, String(value));
  const body = operation.requestBody?.content["application/json"]?.example;
  const lines = [
    `curl${method === "get" ? "" : ` -X ${method.toUpperCase()}`} '${origin}${urlPath}${query.size > 0 ? `?${query}` : ""}'`,
    `  -H "Authorization: Bearer $SIGNALBOX_KEY"`,
    ...(body === undefined ? [] : [`  -H 'Content-Type: application/json'`, `  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ];
  return lines.join(" \\\n");
}
