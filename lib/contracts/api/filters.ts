import { isMoment, isStorableText } from "./bounds.ts";

export type FilterInput =
  /** Takes effect after a pause in typing. `name`: for screen readers, if the label says too little. */
  | { as: "text"; placeholder: string; name?: string }
  /** Options are the filter's `choices`, or those that the page passes under the name `of`; `any` stands for none. */
  | { as: "select"; any: string; of?: string }
  | { as: "buttons"; any?: string }
  | { as: "switch"; value: string | boolean };

/** Declared once: schema, URL and form follow from it. */
export type Filter = {
  value: FilterValue;
  label: string;
  choices?: Record<string, string>;
  input?: FilterInput;
  /** Value that the page uses when its URL does not name this filter; `all` lifts it. */
  fallback?: string;
};

export type Filters = Record<string, Filter>;

export type FilterOf<F extends Filters> = { [Name in keyof F]?: ValueOf<F[Name]["value"]> | undefined };

/** The browser reads and writes URLs by it; `filterShape` makes the API's schema from it. `max` counts characters. */
export type FilterValue =
  | { kind: "text"; max: number; check?: (text: string) => boolean; error?: string }
  | { kind: "texts"; max: number }
  | { kind: "choice"; values: readonly [string, ...string[]] }
  | { kind: "choices"; values: readonly [string, ...string[]] }
  | { kind: "flag" }
  | { kind: "moment" };

export type ValueOf<V extends FilterValue> = V extends { kind: "texts" }
  ? string[]
  : V extends { kind: "choice"; values: readonly (infer Choice)[] }
    ? Choice
    : V extends { kind: "choices"; values: readonly (infer Choice)[] }
      ? Choice[]
      : V extends { kind: "flag" }
        ? boolean
        : string;

export const MAX_REPEATS = 50;

/** Reads a filter's value from a URL; undefined if it is invalid: a mistyped link shows more, never an error. */
export function readFilterValue(value: FilterValue, said: readonly string[]): string | string[] | boolean | undefined {
  const [first] = said;
  switch (value.kind) {
    case "text": {
      const text = first?.trim().slice(0, value.max).toWellFormed();
      return text && isStorableText(text) && (value.check?.(text) ?? true) ? text : undefined;
    }
    case "texts":
      return someOf(said.filter((text) => text !== "" && text.length <= value.max && isStorableText(text)).slice(0, MAX_REPEATS));
    case "choice":
      return value.values.find((one) => one === first);
    case "choices":
      return someOf(value.values.filter((one) => said.includes(one)));
    case "flag":
      return first === "true" ? true : first === "false" ? false : undefined;
    case "moment":
      return first !== undefined && isMoment(first) ? first : undefined;
    default:
      return value satisfies never;
  }
}

const someOf = (values: string[]) => (values.length > 0 ? values : undefined);

const IPV4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?=\d)|$)){4}$/;
/** True for IPv6 as in a URL's brackets: browsers and Node.js both read it. */
const isIpv6 = (text: string) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`);

function isIpOrNetwork(text: string): boolean {
  const [, ip = "", length] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  return (IPV4.test(ip) && Number(length ?? 0) <= 32) || (isIpv6(ip) && Number(length ?? 0) <= 128);
}

export const IP_VALUE = {
  kind: "text",
  max: 50,
  check: isIpOrNetwork,
  error: "must be an IP address or a network: 192.0.2.1, 2001:db8::/32",
} as const;
