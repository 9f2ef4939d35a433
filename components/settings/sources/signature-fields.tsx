import { useState } from "react";
import { Field } from "#components/ui/form";
import { Input } from "#components/ui/primitives/input";
import { Select } from "#components/ui/primitives/select";
import type { HmacSettings } from "#lib/contracts/sources/scheme-settings";

type Option = { value: string; label: string };
type TextSetting = { name: string; label: string; hint: string; options?: undefined; placeholder?: string };
type ChoiceSetting = { name: string; label: string; hint?: string; options: readonly Option[] };
export type Setting = TextSetting | ChoiceSetting;

const NONE = "none";

/** A field of a described scheme; an empty one is left out of the settings. */
export function SettingField({ setting, path, value }: { setting: Setting; path: string; value: string | undefined }) {
  if (setting.options !== undefined) return <ChoiceField setting={setting} path={path} value={value} />;
  const { name, label, hint, placeholder } = setting;
  return (
    <Field name={`${path}.${name}`} label={label} hint={hint} optional>
      <Input
        name={name}
        defaultValue={value}
        placeholder={placeholder}
        maxLength={300}
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
      />
    </Field>
  );
}

function ChoiceField({ setting, path, value }: { setting: ChoiceSetting; path: string; value: string | undefined }) {
  const { name, label, hint, options } = setting;
  const [chosen, setChosen] = useState(value ?? options[0]?.value ?? NONE);
  return (
    <Field name={`${path}.${name}`} label={label} {...(hint !== undefined && { hint })}>
      <Select options={[...options]} value={chosen} onValueChange={setChosen} />
      <input type="hidden" name={name} value={chosen} />
    </Field>
  );
}

/** What a person describes less often, in the words of the senders' documentation. */
const ADVANCED: readonly Setting[] = [
  {
    name: "method",
    label: "Signature made with",
    options: [
      { value: NONE, label: "A shared secret (HMAC)" },
      { value: "hash", label: "A plain hash, with {secret} in the content" },
      { value: "ed25519", label: "The sender's Ed25519 key: the secret is its public key" },
      { value: "ecdsa-p256", label: "The sender's ECDSA P-256 key: the secret is its public key" },
    ],
  },
  {
    name: "key",
    label: "Key written as",
    options: [
      { value: "text", label: "Text, used as it is" },
      { value: "base64", label: "Base64, decoded first" },
      { value: "hex", label: "Hexadecimal, decoded first" },
    ],
  },
  {
    name: "format",
    label: "Header holds",
    options: [
      { value: "plain", label: "The signature alone" },
      { value: "pairs", label: "Pairs, such as t=…,v1=…" },
      { value: "list", label: "A list, such as v1,… v1,…" },
    ],
  },
  {
    name: "part",
    label: "Part with the signature",
    hint: "In pairs or a list. Left empty: v1. s{n} is s0, s1 and so on.",
    placeholder: "v1",
  },
  {
    name: "separator",
    label: "Between pairs",
    options: [
      { value: NONE, label: "A comma" },
      { value: ";", label: "A semicolon" },
    ],
  },
  { name: "timestampPart", label: "Part with the time", hint: "In pairs, such as t.", placeholder: "t" },
  {
    name: "timestampField",
    label: "Time in the body",
    hint: "The path of the signed time, such as event.time, for a signature over fields of the body.",
  },
  {
    name: "timestampForm",
    label: "Time written as",
    hint: "Needed where no text stands between {timestamp} and {body}.",
    options: [
      { value: NONE, label: "Digits, in any unit" },
      { value: "seconds", label: "Seconds, 10 digits" },
      { value: "milliseconds", label: "Milliseconds, 13 digits" },
      { value: "rfc3339", label: "RFC 3339, such as 2026-01-31T12:00:00Z" },
    ],
  },
  { name: "idHeader", label: "ID header", hint: "Carries the ID for {id} in the signed content." },
  {
    name: "moreHeaders",
    label: "More signature headers",
    hint: "Separated by commas, such as x-signature-secondary. x-signature-{n} is x-signature-1, x-signature-2 and so on.",
  },
  { name: "query", label: "Query parameter with the signature", hint: "In place of a header. It is masked, and kept sealed." },
  { name: "field", label: "Field of the body with the signature", hint: "In place of a header, such as event.hash." },
  {
    name: "toleranceSeconds",
    label: "Oldest time accepted, in seconds",
    hint: "Older requests are quarantined. Left empty: 300 at first, if a time is signed.",
  },
];

export function AdvancedSignature({ settings }: { settings: HmacSettings | undefined }) {
  const textOf = (name: string): string | undefined => {
    const value = settings?.[name as keyof HmacSettings];
    return value === undefined || value === null ? undefined : Array.isArray(value) ? value.join(", ") : String(value);
  };
  const isOpen = ADVANCED.some(({ name, options }) => {
    const value = textOf(name);
    return value !== undefined && value !== options?.[0]?.value && name !== "toleranceSeconds";
  });
  return (
    <details className="flex flex-col" open={isOpen || undefined}>
      <summary className="cursor-pointer text-13 font-medium">More about the signature</summary>
      <div className="mt-3 flex flex-col gap-4">
        {ADVANCED.map((setting) => (
          <SettingField key={setting.name} setting={setting} path="scheme.hmac" value={textOf(setting.name)} />
        ))}
      </div>
    </details>
  );
}

/** Reads a field; undefined if it is empty, or the choice that stands for nothing. */
export function given(form: FormData, name: string): string | undefined {
  const text = String(form.get(name) ?? "");
  return text.trim() === "" || text === NONE ? undefined : text;
}

const isSigned = (content: string) => content.includes("{timestamp}");

/** Returns the described signature. The API checks what fits together. */
export function hmacOfForm(form: FormData, before: HmacSettings | undefined): HmacSettings {
  const lower = (name: string) => given(form, name)?.trim().toLowerCase();
  const content = given(form, "content") ?? "{body}";
  const tolerance = given(form, "toleranceSeconds");
  const more = lower("moreHeaders")
    ?.split(/[\s,]+/)
    .filter(Boolean);
  const settings = {
    header: (given(form, "query") ?? given(form, "field")) ? undefined : lower("header"),
    moreHeaders: more,
    query: given(form, "query")?.trim(),
    field: given(form, "field")?.trim(),
    format: given(form, "format") ?? "plain",
    part: given(form, "part")?.trim(),
    separator: given(form, "separator"),
    prefix: String(form.get("prefix") ?? ""),
    method: given(form, "method"),
    algorithm: given(form, "algorithm") ?? "sha256",
    encoding: given(form, "encoding") ?? "hex",
    key: given(form, "key") ?? "text",
    content,
    timestampHeader: lower("timestampHeader"),
    timestampPart: given(form, "timestampPart")?.trim(),
    timestampField: given(form, "timestampField")?.trim(),
    timestampForm: given(form, "timestampForm"),
    idHeader: lower("idHeader"),
    toleranceSeconds: tolerance !== undefined ? Number(tolerance) : isSigned(content) && before?.toleranceSeconds !== null ? 300 : null,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as HmacSettings;
}
