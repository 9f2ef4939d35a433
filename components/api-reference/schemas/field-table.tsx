import type { FieldLine } from "#lib/client/format/schema-labels";

/** The fields of a schema, or the parameters of an operation: name, type, whether it is optional. */
export function FieldTable({ label, lines, words = {} }: { label: string; lines: FieldLine[]; words?: Record<string, string> }) {
  return (
    <div className="overflow-x-auto rounded-md border border-line">
      <table aria-label={label} className="w-full text-left text-13">
        <tbody>
          {lines.map((line) => (
            <tr key={line.name} className="border-b border-line align-top last:border-b-0">
              <th scope="row" className="w-56 max-rail:w-32 py-1.5 pr-2 pl-3 font-mono text-12 font-medium break-all">
                {line.name}
                {line.always ? null : <span className="ml-1.5 font-sans font-normal text-faint">optional</span>}
              </th>
              <td className="py-1.5 pr-3 pl-2 text-12 text-muted [overflow-wrap:anywhere]">
                {line.ref === null ? line.type : <SchemaLink name={line.ref}>{line.type}</SchemaLink>}
                {words[line.name] === undefined ? null : <p>{words[line.name]}</p>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Links to a named schema at the end of the page. */
export function SchemaLink({ name, children }: { name: string; children: string }) {
  return (
    <a href={`#schema-${name}`} className="text-accent-text underline underline-offset-2">
      {children}
    </a>
  );
}
