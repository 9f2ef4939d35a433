import { bodyTextOf } from "#lib/http/body/request-body";

const MAX_CHARACTERS = 16_384;

/** Reads JSON (docs/platform.md) or a form (RFC 6749), with Basic credentials (section 2.3.1). Null if neither, too long, or repeated. */
export async function readFields(request: Request): Promise<Record<string, string> | null> {
  const text = await bodyTextOf(request);
  if (text.length > MAX_CHARACTERS) return null;
  const json = request.headers.get("content-type")?.startsWith("application/json") ?? false;
  const fields = json ? jsonFields(text) : formFields(text);
  return fields && { ...fields, ...basicCredentials(request.headers.get("authorization")) };
}

function jsonFields(text: string): Record<string, string> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
    return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return null;
  }
}

function formFields(text: string): Record<string, string> | null {
  const form = new URLSearchParams(text);
  const fields = Object.fromEntries(form);
  return Object.keys(fields).length === form.size ? fields : null;
}

function basicCredentials(authorization: string | null): Record<string, string> {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization ?? "")?.[1];
  if (!encoded) return {};
  const [clientId = "", clientSecret = ""] = Buffer.from(encoded, "base64").toString().split(":").map(formDecoded);
  return { client_id: clientId, client_secret: clientSecret };
}

function formDecoded(text: string): string {
  return new URLSearchParams(`v=${text}`).get("v") ?? "";
}
